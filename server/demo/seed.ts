import { env } from "@/server/core/env";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { MANDATORY_CONSENTS } from "@/server/domains/accounts/consents/contract";
import { recordConsents } from "@/server/domains/accounts/consents/service/record";
import { LICENCE_PAYMENT_DAYS } from "@/server/domains/sites/slots/contract";
import { INVITATION_DAYS } from "@/server/domains/tenancy/customers/policy";
import { prisma } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { createSandboxStore } from "@/server/infrastructure/sandbox-store";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { buildAccountData, DEMO_PASSWORD, SIGN_UP_LOCALE } from "./account-data";
import { seedActivity } from "./activity";
import { seedBrandAndPortal } from "./brand";
import { seedConnectionChecks } from "./connection-checks";
import { seedCreditYear } from "./credits";
import { makeConnection, makeLicence, makeReseller, makeSite, makeSubscription, makeUser } from "./factories";
import { createFinishedInvoice, seedPayment, toPaidSubscription } from "./invoices";
import { seedApiKeys } from "./keys";
import { seedLibrary } from "./library";
import { seedPayout } from "./payout";
import { seedPlatformHistory } from "./platform-history";
import { seedAbandonedLicence, seedResellerCustomers } from "./reseller-customers";
import { seedTelegramBot } from "./telegram-bot";
import { seedWebhook } from "./webhooks";

export function formatDemoGreeting(url: string): string {
  return (
    "  Demo mode, on this machine only. Accounts: customer@example.com, reseller@example.com, admin@example.com\n" +
    `  Password: ${DEMO_PASSWORD}. Mails: ${url}/dev/mailbox\n\n`
  );
}

/** Seeds demo accounts with a year of history. Returns false, without changes, if the database has any account. */
export async function seedDemo(): Promise<boolean> {
  if ((await prisma().user.count()) > 0) return false;
  const { id: administratorId } = await makeUser({
    ...buildAccountData("admin@example.com", "Deniz Yılmaz", "+905321000001"),
    ...createdDaysAgo(500),
    role: "admin",
  });
  await prisma().setting.create({
    data: {
      key: "bank",
      value: { holder: "Tellal Yazılım A.Ş.", iban: "TR330006100519786457841326", bank: "Örnek Bankası" },
      updatedById: administratorId,
    },
    select: { key: true },
  });
  await seedCustomer(administratorId);
  await seedFullCustomer(administratorId);
  const programme = await seedReseller(administratorId);
  await seedAbandonedLicence(programme);
  await seedResellerCustomers(programme);
  await seedPayout(programme.resellerId, administratorId);
  const listedResellerIds = await seedListedResellers();
  await seedUnpaidSite(listedResellerIds[0]!);
  const unsignedReseller = await makeUser({
    ...buildAccountData("unsigned@example.com", "Ece Aydın", "+905321000006"),
    role: "reseller",
  });
  await makeReseller(unsignedReseller.id, { code: "ECEAYDIN", signed: false });
  await seedActivity(SIGNED_IN_EMAILS);
  await seedPlatformHistory();
  await recordConsentsForAll();
  return true;
}

/** Accounts with a history of sign-ins. */
const SIGNED_IN_EMAILS = [
  "admin@example.com",
  "reseller@example.com",
  "customer@example.com",
  "agent@example.com",
];

function createdDaysAgo(days: number) {
  const createdAt = fromNow(-days * DAY);
  return { createdAt, emailVerifiedAt: createdAt };
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

/** Seeds a customer in the second year of the Pro plan with free slots, and an agent. */
async function seedCustomer(administratorId: number): Promise<void> {
  const paidAt = fromNow(-6 * DAY);
  const firstPaidAt = fromNow(-371 * DAY);
  const customer = await makeUser({
    ...buildAccountData("customer@example.com", "Ayşe Kaya", "+905321000002"),
    ...createdDaysAgo(400),
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
  const activatedBy = { activatedById: administratorId };
  const firstYear = await makeSubscription(customer.id, {
    ...{ plan: "pro", days: -6, status: "cancelled", closedReason: "renewed", createdAt: firstPaidAt },
    ...activatedBy,
  });
  await seedPayment(toPaidSubscription(firstYear), {
    ...(await createFinishedInvoice(firstPaidAt)),
    recordedById: administratorId,
  });
  await seedCreditYear({
    ...{ userId: customer.id, administratorId },
    ...{ plan: firstYear.planName, monthlyCredits: firstYear.monthlyCredits, since: firstPaidAt },
  });
  const proSubscription = await makeSubscription(customer.id, {
    ...{ plan: "pro", days: 359, startsAt: paidAt, createdAt: paidAt, renewsId: firstYear.id },
    ...activatedBy,
  });
  const missingTaxNumber = {
    state: "needs_data",
    step: "queued",
    problem: "data",
    missing: ["tax_number"],
  } as const;
  await seedPayment(toPaidSubscription(proSubscription), {
    ...missingTaxNumber,
    missing: [...missingTaxNumber.missing],
    ...{ paidAt, recordedById: administratorId },
  });
  const shop = await makeSite(customer.id, {
    subscriptionId: proSubscription.id,
    name: "Kaya Kahve",
    domain: "kayakahve.example.com",
    widgetColor: "#7C3AED",
    welcomeMessage: "Merhaba! Size nasıl yardımcı olabiliriz?",
    faqsCount: 12,
    ...{ lastSeenAt: fromNow(-2 * HOUR), lastSeenHost: "kayakahve.example.com" },
    ...{ createdAt: fromNow(-370 * DAY), updatedAt: fromNow(-9 * DAY) },
  });
  await prisma().externalKey.create({
    data: {
      ...{
        siteId: shop.id,
        madeById: customer.id,
        createdAt: fromNow(-300 * DAY),
        lastUsedAt: fromNow(-3 * HOUR),
      },
      ...{ keyHash: Uint8Array.from(hashSecret(createToken("dse"))), lastFour: "k4hv" },
    },
    select: { id: true },
  });
  const wholesale = await makeSite(customer.id, {
    subscriptionId: proSubscription.id,
    name: "Kaya Toptan",
    domain: "toptan.kayakahve.example.com",
    widgetColor: "#0F766E",
    isActive: false,
    ...{ createdAt: fromNow(-210 * DAY), updatedAt: fromNow(-24 * DAY), suspendedAt: fromNow(-24 * DAY) },
  });
  await seedConnections(customer.id, { activeSiteId: shop.id, suspendedSiteId: wholesale.id });
  await makeUser({
    ...buildAccountData("agent@example.com", "Mert Demir", "+905321000003"),
    ...createdDaysAgo(360),
    isAgentOnly: true,
    parentUserId: customer.id,
    assignedSiteId: shop.id,
  });
  await seedConnectionChecks(customer.id);
  await seedApiKeys(customer.id);
  await seedLibrary(customer.id);
  await seedWebhook(customer.id, shop);
}

/** Seeds a customer whose only slot is used. */
async function seedFullCustomer(administratorId: number): Promise<void> {
  const { id: userId } = await makeUser({
    ...buildAccountData("full@example.com", "Can Öztürk", "+905321000004"),
    ...createdDaysAgo(2),
  });
  const starterSubscription = await makeSubscription(userId, {
    plan: "starter",
    activatedById: administratorId,
  });
  await seedPayment(toPaidSubscription(starterSubscription), {
    ...(await createFinishedInvoice(new Date())),
    recordedById: administratorId,
  });
  await makeSite(userId, {
    ...{ subscriptionId: starterSubscription.id, name: "Öztürk Oto", domain: "ozturkoto.example.com" },
  });
}

/** Seeds a site that is suspended because its reseller did not pay the licence in time. */
async function seedUnpaidSite(resellerId: number): Promise<void> {
  const openedAt = fromNow(-17 * DAY);
  const payBy = fromNow((LICENCE_PAYMENT_DAYS - 17) * DAY);
  const domain = "isikdijital.example.com";
  const site = await makeSite(resellerId, {
    ...{ name: "Işık Dijital", domain, createdAt: openedAt, updatedAt: payBy },
    ...{ isActive: false, suspendedReason: "licence_unpaid", suspendedAt: payBy },
  });
  await makeLicence(resellerId, {
    ...{ siteId: site.id, domains: [domain], periodStart: openedAt, createdAt: openedAt, payBy },
    periodEnd: fromNow((365 - 17) * DAY),
  });
}

/** Share of the customers' payments that the demo's resellers earn. */
const REFERRAL_RATE = 10;

/** Seeds a reseller of the referral programme with two unpaid sites of its own, and invitations. */
async function seedReseller(administratorId: number) {
  const reseller = await makeUser({
    ...buildAccountData("reseller@example.com", "Selin Arslan", "+905321000005"),
    ...createdDaysAgo(460),
    role: "reseller",
  });
  await makeReseller(reseller.id, {
    code: "ARSLAN34",
    listed: { displayName: "Arslan Ajans", city: "Ankara" },
    since: fromNow(-458 * DAY),
  });
  await prisma().setting.create({
    data: { key: "referral_rate", value: REFERRAL_RATE, updatedById: administratorId },
    select: { key: true },
  });
  await seedBrandAndPortal(reseller.id);
  for (const [name, email, daysLeft] of [
    ["Hakan Er", "hakan.er@example.com", -4],
    ["Deniz Yıldız", "deniz@example.com", 7],
  ] as const)
    await prisma().customerInvitation.create({
      data: {
        ...{ resellerId: reseller.id, name, email, emailKey: email },
        tokenHash: Uint8Array.from(hashSecret(createToken("dsb"))),
        createdAt: fromNow((daysLeft - INVITATION_DAYS) * DAY),
        expiresAt: fromNow(daysLeft * DAY),
      },
    });
  for (const [name, daysToPay] of [
    ["Arslan Ajans", 9],
    ["Arslan Akademi", 2],
  ] as const) {
    const openedAt = fromNow((daysToPay - LICENCE_PAYMENT_DAYS) * DAY);
    const domain = `${name.toLowerCase().replace(" ", "")}.example.com`;
    const site = await makeSite(reseller.id, { name, domain, createdAt: openedAt, updatedAt: openedAt });
    await makeLicence(reseller.id, {
      ...{ siteId: site.id, domains: [domain], periodStart: openedAt },
      periodEnd: fromNow((daysToPay - LICENCE_PAYMENT_DAYS + 365) * DAY),
      payBy: fromNow(daysToPay * DAY),
    });
  }
  return { resellerId: reseller.id, administratorId, ratePercent: REFERRAL_RATE };
}

async function seedListedResellers(): Promise<number[]> {
  const ids: number[] = [];
  const listedResellers = [
    ["Derya Işık", "Işık Dijital", "İzmir", "ISIK35"],
    ["Kemal Yurt", "Yurt Yazılım", "Bursa", "YURT16"],
    ["Nazlı Öz", "Öz İletişim", "Ankara", "OZ06ANKARA"],
  ] as const;
  for (const [index, [name, displayName, city, code]] of listedResellers.entries()) {
    const { id } = await makeUser({
      ...buildAccountData(`reseller${index + 2}@example.com`, name, `+90532100002${index}`),
      ...createdDaysAgo(490 - index),
      role: "reseller",
    });
    await makeReseller(id, { code, listed: { displayName, city }, since: fromNow(-480 * DAY) });
    ids.push(id);
  }
  return ids;
}

const sandboxStores = {
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
