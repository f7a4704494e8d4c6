import { env } from "@/server/core/env";
import { DAY, fromNow } from "@/server/core/time";
import { MANDATORY_CONSENTS } from "@/server/domains/accounts/consents/contract";
import { recordConsents } from "@/server/domains/accounts/consents/service/record";
import { LICENCE_PAYMENT_DAYS } from "@/server/domains/sites/slots/contract";
import { prisma } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { createSandboxStore } from "@/server/infrastructure/sandbox-store";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { seedBrandAndPortal } from "./brand";
import { seedCreditYear } from "./credits";
import { makeConnection, makeLicence, makeReseller, makeSite, makeSubscription, makeUser } from "./factories";
import { createFinishedInvoice, seedPayment, UNFINISHED_INVOICES } from "./invoices";
import { seedLibrary } from "./library";
import { seedWebhook } from "./webhooks";

const DEMO_PASSWORD = "demo-password";
const SIGN_UP_LOCALE = "en";
const buildAccountData = (email: string, name: string, phone: string) => ({
  email,
  name,
  phone,
  password: DEMO_PASSWORD,
  signUpLocale: SIGN_UP_LOCALE,
});

export function formatDemoGreeting(url: string): string {
  return (
    "  Demo mode, on this machine only. Accounts: customer@example.com, reseller@example.com, admin@example.com\n" +
    `  Password: ${DEMO_PASSWORD}. Mails: ${url}/dev/mailbox\n\n`
  );
}

/** Seeds demo accounts. Returns false, without changes, if the database has any account. */
export async function seedDemo(): Promise<boolean> {
  if ((await prisma().user.count()) > 0) return false;
  const administrator = await makeUser({
    ...buildAccountData("admin@example.com", "Deniz Yılmaz", "+905321000001"),
    role: "admin",
  });
  await seedCustomer(administrator.id);
  await seedReseller();
  await seedListedResellers();
  const unsignedReseller = await makeUser({
    ...buildAccountData("unsigned@example.com", "Ece Aydın", "+905321000006"),
    role: "reseller",
  });
  await makeReseller(unsignedReseller.id, { code: "ECEAYDIN", signed: false });
  await recordConsentsForAll();
  return true;
}

async function recordConsentsForAll(): Promise<void> {
  const consents = Object.fromEntries(MANDATORY_CONSENTS.map((key) => [key, true]));
  const users = await prisma().user.findMany({ select: { id: true }, orderBy: { id: "asc" } });
  await inTransaction(async (tx) => {
    for (const { id: userId } of users) {
      const signUp = { ...tx, ip: "127.0.0.1", userAgent: null, locale: SIGN_UP_LOCALE } as const;
      await recordConsents(signUp, { userId, consents, source: "register" });
    }
  });
}

/** Seeds a customer on the Pro plan with free slots, an agent, and a customer whose only slot is used. */
async function seedCustomer(administratorId: number): Promise<void> {
  const paidAt = fromNow(-6 * DAY);
  const signedUpAt = fromNow(-371 * DAY);
  const customer = await makeUser({
    ...buildAccountData("customer@example.com", "Ayşe Kaya", "+905321000002"),
    createdAt: signedUpAt,
  });
  await seedCreditYear({
    ...{ userId: customer.id, administratorId },
    ...{ plan: "Pro", monthlyCredits: 10_000 },
  });
  // The missing tax number blocks the invoice.
  await prisma().billingProfile.create({
    data: {
      userId: customer.id,
      kind: "company",
      title: "Kaya Kahve Ltd. Şti.",
      taxOffice: "Beyoğlu",
      address: "İstiklal Cad. 1",
      district: "Beyoğlu",
      city: "İstanbul",
    },
  });
  const firstYear = await makeSubscription(customer.id, { plan: "pro", days: -6, status: "cancelled" });
  await prisma().subscription.update({ where: { id: firstYear.id }, data: { closedReason: "renewed" } });
  await seedPayment(firstYear, await createFinishedInvoice(17, signedUpAt));
  const proSubscription = await makeSubscription(customer.id, { plan: "pro", days: 359 });
  await prisma().subscription.update({
    where: { id: proSubscription.id },
    data: { startsAt: paidAt, renewsId: firstYear.id },
  });
  const missingTaxNumber = {
    state: "needs_data",
    step: "queued",
    problem: "data",
    missing: ["tax_number"],
  } as const;
  await seedPayment(proSubscription, {
    ...missingTaxNumber,
    missing: [...missingTaxNumber.missing],
    paidAt,
  });
  const shop = await makeSite(customer.id, {
    subscriptionId: proSubscription.id,
    name: "Kaya Kahve",
    domain: "kayakahve.example.com",
    widgetColor: "#7C3AED",
    welcomeMessage: "Merhaba! Size nasıl yardımcı olabiliriz?",
    faqsCount: 12,
  });
  const wholesale = await makeSite(customer.id, {
    subscriptionId: proSubscription.id,
    name: "Kaya Toptan",
    domain: "toptan.kayakahve.example.com",
    widgetColor: "#0F766E",
    isActive: false,
  });
  await seedConnections(customer.id, { activeSiteId: shop.id, suspendedSiteId: wholesale.id });
  await makeUser({
    ...buildAccountData("agent@example.com", "Mert Demir", "+905321000003"),
    isAgentOnly: true,
    parentUserId: customer.id,
    assignedSiteId: shop.id,
  });
  await seedLibrary(customer.id);
  await seedWebhook(customer.id, shop);
  const fullCustomer = await makeUser(buildAccountData("full@example.com", "Can Öztürk", "+905321000004"));
  const starterSubscription = await makeSubscription(fullCustomer.id, { plan: "starter" });
  await seedPayment(starterSubscription, await createFinishedInvoice(42, new Date()));
  await makeSite(fullCustomer.id, {
    subscriptionId: starterSubscription.id,
    name: "Öztürk Oto",
    domain: "ozturkoto.example.com",
  });
}

/** Seeds a reseller with two unpaid sites and five customers, two of them with an ended plan. */
async function seedReseller(): Promise<void> {
  const reseller = await makeUser({
    ...buildAccountData("reseller@example.com", "Selin Arslan", "+905321000005"),
    role: "reseller",
  });
  await makeReseller(reseller.id, {
    code: "ARSLAN34",
    listed: { displayName: "Arslan Ajans", city: "Ankara" },
  });
  await seedBrandAndPortal(reseller.id);
  const names = ["Işıl Çelik", "İbrahim Şahin", "Zeynep Koç", "Burak Güneş", "Elif Kurt"];
  for (const [index, name] of names.entries()) {
    const customer = await makeUser({
      ...buildAccountData(`customer${index + 1}@example.com`, name, `+90532100001${index}`),
      resellerId: reseller.id,
      ...(index === 4 && { isActive: false, deactivatedBy: "reseller" as const }),
    });
    if (index === 0) {
      await prisma().supportAccess.create({ data: { userId: customer.id, until: fromNow(30 * DAY) } });
      await prisma().customerNote.create({
        data: {
          resellerId: reseller.id,
          customerId: customer.id,
          body: "Öğleden sonra aranmayı tercih ediyor.",
        },
      });
    }
    const subscription = await makeSubscription(customer.id, { plan: "starter", ...ENDED_PLANS[index] });
    if (index < 3) await seedPayment(subscription, UNFINISHED_INVOICES[index]);
    const isExpired = subscription.status === "expired";
    const shop = await makeSite(customer.id, {
      subscriptionId: isExpired ? null : subscription.id,
      name: `${name.split(" ")[1]} Mağaza`,
      domain: `magaza${index + 1}.example.com`,
      ...(isExpired && { isActive: false, suspendedReason: "subscription_ended" }),
    });
    await seedTelegramBot(customer.id, {
      secret: `70000000${index + 1}:${"sandbox-token-of-the-demo-seed-".padEnd(35, "x")}`,
      label: `@magaza${index + 1}_bot`,
      siteIds: index === 0 ? [] : [shop.id],
    });
  }
  await prisma().customerInvitation.create({
    data: {
      resellerId: reseller.id,
      name: "Deniz Yıldız",
      email: "deniz@example.com",
      emailKey: "deniz@example.com",
      tokenHash: Uint8Array.from(hashSecret(createToken("dsb"))),
      expiresAt: fromNow(7 * DAY),
    },
  });
  for (const [name, daysToPay] of [
    ["Arslan Ajans", 9],
    ["Arslan Akademi", 2],
  ] as const) {
    const site = await makeSite(reseller.id, {
      name,
      domain: `${name.toLowerCase().replace(" ", "")}.example.com`,
    });
    const startOffset = (daysToPay - LICENCE_PAYMENT_DAYS) * DAY;
    await makeLicence(reseller.id, {
      siteId: site.id,
      periodStart: fromNow(startOffset),
      periodEnd: fromNow(startOffset + 365 * DAY),
      payBy: fromNow(daysToPay * DAY),
    });
  }
}

async function seedListedResellers(): Promise<void> {
  const listedResellers = [
    ["Derya Işık", "Işık Dijital", "İzmir", "ISIK35"],
    ["Kemal Yurt", "Yurt Yazılım", "Bursa", "YURT16"],
    ["Nazlı Öz", "Öz İletişim", "Ankara", "OZ06ANKARA"],
  ] as const;
  for (const [index, [name, displayName, city, code]] of listedResellers.entries()) {
    const { id } = await makeUser({
      ...buildAccountData(`reseller${index + 2}@example.com`, name, `+90532100002${index}`),
      role: "reseller",
    });
    await makeReseller(id, { code, listed: { displayName, city } });
  }
}

async function seedTelegramBot(userId: number, data: Parameters<typeof makeConnection>[1]): Promise<void> {
  const { remoteKey } = await makeConnection(userId, { health: "ok", lastOkAt: new Date(), ...data });
  await sandboxStores.telegram.set(`hook:${remoteKey}`, `${env().APP_URL}/hooks/telegram/demo`);
}

const sandboxStores = {
  telegram: createSandboxStore("telegram"),
  meta: createSandboxStore("meta"),
  evolution: createSandboxStore("evolution"),
  twilio: createSandboxStore("twilio"),
};

/** Seeds one connection per state: idle for each reason, with a sibling, with a dead token and in use. */
async function seedConnections(
  userId: number,
  { activeSiteId, suspendedSiteId }: { activeSiteId: number; suspendedSiteId: number },
): Promise<void> {
  const hooksUrl = `${env().APP_URL}/hooks`;
  const healthyFields = { health: "ok", lastOkAt: new Date(), checkedAt: new Date() } as const;
  const createSandboxToken = (botId: number, suffix = "xxxx") =>
    `${botId}:${"sandbox-token-of-the-demo-".padEnd(30, "x")}${suffix}`;
  await seedTelegramBot(userId, { label: "@kayakahve_eski_bot", secret: createSandboxToken(600_000_001) });
  await seedTelegramBot(userId, {
    label: "@kayakahve_bot",
    secret: createSandboxToken(600_000_002, "REVOKED"),
    siteIds: [activeSiteId],
    health: "dead",
    deadSeenAt: fromNow(-2 * DAY),
    tokenDeadAt: fromNow(-DAY),
    lastOkAt: fromNow(-3 * DAY),
  });
  await sandboxStores.meta.set("apps:102290129340398", [env().META_APP_ID]);
  for (const [digit, isActive] of [
    [0, false],
    [1, true],
  ] as const) {
    const remoteKey = `102290129340398${digit}`;
    await sandboxStores.meta.set(`override:${remoteKey}`, `${hooksUrl}/whatsapp/demo`);
    await makeConnection(userId, {
      ...healthyFields,
      channel: "whatsapp",
      connectionType: "cloud_api",
      label: `+90 532 100 00 1${digit}`,
      remoteKey,
      accountKey: "102290129340398",
      secret: "EAAG-sandbox-token",
      isActive,
      siteIds: [activeSiteId],
    });
  }
  const base_url = `${env().APP_URL}/dev/sandbox/evolution`;
  await sandboxStores.evolution.set("instance:toptan", {
    name: "toptan",
    key: "hash-of-toptan",
    state: "open",
    url: `${hooksUrl}/whatsapp_qr/demo`,
  });
  await makeConnection(userId, {
    ...healthyFields,
    channel: "whatsapp_qr",
    connectionType: "evolution",
    label: "toptan",
    remoteKey: `${base_url}|toptan`,
    config: { base_url, instance: "toptan" },
    secret: "hash-of-toptan",
    siteIds: [suspendedSiteId],
  });
  await sandboxStores.meta.set("apps:17840000000000001", [env().META_APP_ID]);
  await makeConnection(userId, {
    ...healthyFields,
    channel: "instagram",
    connectionType: "oauth",
    label: "@kayakahve",
    remoteKey: "17840000000000001",
    secret: "IGQV-sandbox-token",
    siteIds: [activeSiteId],
  });
  await sandboxStores.twilio.set("number:PN00000000000000000000000000000001", {
    sms_url: `${hooksUrl}/sms/demo`,
  });
  await makeConnection(userId, {
    ...healthyFields,
    channel: "sms",
    connectionType: "twilio",
    label: "+12025550001",
    remoteKey: "PN00000000000000000000000000000001",
    accountKey: `AC${"0".repeat(32)}`,
    secret: "sandbox-token-of-twilio",
    siteIds: [activeSiteId],
  });
}

/** Subscriptions of the reseller's customers that have ended, by index; `days` as in `makeSubscription`. */
const ENDED_PLANS: Record<number, { days: number; status: "past_due" | "expired" }> = {
  2: { days: -2, status: "past_due" },
  3: { days: -20, status: "expired" },
};
