import { DAY, fromNow } from "@/server/core/time";
import { LICENCE_PAYMENT_DAYS } from "@/server/domains/sites/slots/contract";
import { prisma } from "@/server/infrastructure/database/client";
import type { Site, Subscription } from "@/server/infrastructure/database/generated/client";
import { buildAccountData } from "./account-data";
import { seedCreditYear } from "./credits";
import { makeLicence, makeSite, makeSubscription, makeUser } from "./factories";
import {
  createFinishedInvoice,
  type PaymentData,
  seedPayment,
  toPaidLicence,
  toPaidSubscription,
  UNFINISHED_INVOICES,
} from "./invoices";
import { seedTelegramBot } from "./telegram-bot";

const WIDGET_COLORS = ["#4F46E5", "#0F766E", "#B45309", "#BE185D", "#1D4ED8", "#15803D"];

/** Days between the sign-up and the payment of the first plan. */
const DAYS_TO_PAY = 1;

interface DemoCustomer {
  /** Number of days since the sign-up. Later customers have higher IDs. */
  daysAgo: number;
  name: string;
  email: string;
  business: string;
  domain: string;
  plan?: "starter" | "pro";
  /** The plan has ended: days until its end as in `makeSubscription`, and its state. */
  ended?: { days: number; status: "past_due" | "expired" };
  /** Instead of a finished invoice; null without any payment. */
  payment?: PaymentData | null;
  isDeactivated?: boolean;
  hasBot?: boolean;
  /** Sites that the reseller pays for; `paid`: the first year is paid. */
  licences?: readonly { daysAgo: number; name: string; domain: string; paid: boolean }[];
  isSiteHeld?: boolean;
  hasOrder?: boolean;
  /** A trial of the Starter plan that began two days after the sign-up. */
  isInTrial?: boolean;
}

const CUSTOMERS: readonly DemoCustomer[] = [
  {
    ...{ daysAgo: 385, name: "Burak Güneş", email: "customer4@example.com", plan: "starter" },
    ...{ business: "Güneş Mağaza", domain: "magaza4.example.com", hasBot: true },
    ended: { days: -20, status: "expired" },
  },
  {
    ...{ daysAgo: 368, name: "Zeynep Koç", email: "customer3@example.com", plan: "starter" },
    ...{ business: "Koç Mağaza", domain: "magaza3.example.com", hasBot: true },
    ended: { days: -2, status: "past_due" },
    payment: UNFINISHED_INVOICES.documentFailed,
  },
  {
    ...{ daysAgo: 329, name: "Melis Aksoy", email: "melis.aksoy@example.com", plan: "pro" },
    ...{ business: "Aksoy Pilates", domain: "aksoypilates.example.com" },
  },
  {
    ...{ daysAgo: 298, name: "Onur Bayram", email: "onur.bayram@example.com", plan: "starter" },
    ...{ business: "Bayram Optik", domain: "bayramoptik.example.com" },
  },
  {
    ...{ daysAgo: 271, name: "Gamze Polat", email: "gamze.polat@example.com" },
    ...{ business: "Polat Mobilya", domain: "polatmobilya.example.com" },
    licences: [
      { daysAgo: 270, name: "Polat Mobilya", domain: "polatmobilya.example.com", paid: true },
      { daysAgo: 150, name: "Polat Outlet", domain: "polatoutlet.example.com", paid: true },
    ],
  },
  {
    ...{ daysAgo: 243, name: "Tolga Erdem", email: "tolga.erdem@example.com", plan: "starter" },
    ...{ business: "Erdem Bisiklet", domain: "erdembisiklet.example.com" },
  },
  {
    ...{ daysAgo: 214, name: "Seda Yavuz", email: "seda.yavuz@example.com", plan: "pro" },
    ...{ business: "Yavuz Klinik", domain: "yavuzklinik.example.com" },
  },
  {
    ...{ daysAgo: 186, name: "Kerem Toprak", email: "kerem.toprak@example.com", plan: "starter" },
    ...{ business: "Toprak Fidan", domain: "toprakfidan.example.com", isSiteHeld: true },
  },
  {
    ...{ daysAgo: 158, name: "Pınar Uslu", email: "pinar.uslu@example.com", plan: "starter" },
    ...{ business: "Uslu Pastane", domain: "uslupastane.example.com" },
  },
  {
    ...{ daysAgo: 127, name: "Hande Soylu", email: "hande.soylu@example.com" },
    ...{ business: "Soylu Sigorta", domain: "soylusigorta.example.com" },
    licences: [{ daysAgo: 126, name: "Soylu Sigorta", domain: "soylusigorta.example.com", paid: true }],
  },
  {
    ...{ daysAgo: 96, name: "Volkan Tekin", email: "volkan.tekin@example.com", plan: "starter" },
    ...{ business: "Tekin Elektronik", domain: "tekinelektronik.example.com" },
  },
  {
    ...{ daysAgo: 63, name: "Cansu Ateş", email: "cansu.ates@example.com", plan: "pro" },
    ...{ business: "Ateş Seyahat", domain: "atesseyahat.example.com" },
  },
  {
    ...{ daysAgo: 40, name: "Elif Kurt", email: "customer5@example.com", plan: "starter" },
    ...{ business: "Kurt Mağaza", domain: "magaza5.example.com", hasBot: true, isDeactivated: true },
  },
  {
    ...{ daysAgo: 33, name: "Barış Duman", email: "baris.duman@example.com" },
    ...{ business: "Duman Kafe", domain: "dumankafe.example.com" },
    licences: [{ daysAgo: 5, name: "Duman Kafe", domain: "dumankafe.example.com", paid: false }],
  },
  {
    ...{ daysAgo: 12, name: "İbrahim Şahin", email: "customer2@example.com", plan: "starter" },
    ...{ business: "Şahin Mağaza", domain: "magaza2.example.com", hasBot: true },
    payment: UNFINISHED_INVOICES.skipped,
  },
  {
    ...{ daysAgo: 8, name: "Nazan Kılıç", email: "nazan.kilic@example.com" },
    ...{ business: "Kılıç Çiçek", domain: "kiliccicek.example.com" },
    licences: [{ daysAgo: 7, name: "Kılıç Çiçek", domain: "kiliccicek.example.com", paid: false }],
  },
  {
    ...{ daysAgo: 6, name: "Derin Sarı", email: "derin.sari@example.com" },
    ...{ business: "Sarı Atölye", domain: "sariatolye.example.com", hasOrder: true },
    isInTrial: true,
  },
  {
    ...{ daysAgo: 3, name: "Işıl Çelik", email: "customer1@example.com", plan: "starter" },
    ...{ business: "Çelik Mağaza", domain: "magaza1.example.com", hasBot: true },
    payment: UNFINISHED_INVOICES.amountWrong,
  },
];

/** Customers who accepted the invitation of the imported file. */
const IMPORTED_EMAILS = ["nazan.kilic@example.com", "derin.sari@example.com"];

interface Programme {
  resellerId: number;
  administratorId: number;
  ratePercent: number;
}

/** Seeds customers who signed up over a year, with each state of a plan, a licence and a site. */
export async function seedResellerCustomers(programme: Programme): Promise<void> {
  for (const [index, customer] of CUSTOMERS.entries()) await seedCustomer(programme, customer, index);
  await seedImport(programme.resellerId);
}

async function seedCustomer(programme: Programme, customer: DemoCustomer, index: number): Promise<void> {
  const { resellerId, administratorId } = programme;
  const signedUpAt = fromNow(-customer.daysAgo * DAY);
  const { id: userId } = await makeUser({
    ...buildAccountData(customer.email, customer.name, `+9053210001${String(index).padStart(2, "0")}`),
    ...{ resellerId, createdAt: signedUpAt, emailVerifiedAt: signedUpAt },
    ...(customer.isDeactivated && { isActive: false, deactivatedBy: "reseller" as const }),
  });
  const subscription = customer.plan && (await seedPlan(programme, customer, userId));
  const site = subscription && (await seedSite(customer, userId, subscription));
  if (customer.hasBot)
    await seedTelegramBot(userId, {
      secret: `7000000${String(index).padStart(2, "0")}:${"sandbox-token-of-the-demo-seed-".padEnd(35, "x")}`,
      label: `@${customer.domain.split(".")[0]}_bot`,
      // The first customer on the list has a connection without a site.
      siteIds: site && customer.email !== "customer1@example.com" ? [site.id] : [],
    });
  if (customer.isInTrial) await seedTrial(customer, userId);
  for (const licence of customer.licences ?? []) await seedLicence(programme, userId, licence);
  if (customer.hasOrder) {
    const orderedAt = fromNow(-3 * DAY);
    await makeSubscription(userId, {
      ...{ plan: "pro", status: "pending", days: 27, startsAt: orderedAt, createdAt: orderedAt },
    });
  }
  if (customer.email === "customer1@example.com") {
    await prisma().supportAccess.create({ data: { userId, until: fromNow(30 * DAY) } });
    await prisma().customerNote.create({
      data: { resellerId, customerId: userId, body: "Öğleden sonra aranmayı tercih ediyor." },
    });
  }
  if (!subscription) return;
  await seedCreditYear({
    ...{ userId, administratorId, plan: subscription.planName, monthlyCredits: subscription.monthlyCredits },
    ...{ since: subscription.startsAt, until: customer.ended ? subscription.endsAt : undefined },
  });
}

async function seedPlan(
  { resellerId, administratorId, ratePercent }: Programme,
  { plan, ended, payment, daysAgo }: DemoCustomer,
  userId: number,
): Promise<Subscription> {
  const startDays = ended ? 365 - ended.days : daysAgo - DAYS_TO_PAY;
  const startsAt = fromNow(-startDays * DAY);
  const subscription = await makeSubscription(userId, {
    ...{ plan, status: ended?.status, days: 365 - startDays, startsAt, createdAt: startsAt },
    activatedById: administratorId,
  });
  await seedPayment(toPaidSubscription(subscription), {
    ...(payment ?? (await createFinishedInvoice(startsAt))),
    paidAt: payment?.paidAt ?? startsAt,
    recordedById: administratorId,
    earning: { resellerId, ratePercent },
  });
  return subscription;
}

async function seedTrial(customer: DemoCustomer, userId: number): Promise<void> {
  const startsAt = fromNow((2 - customer.daysAgo) * DAY);
  const trial = await makeSubscription(userId, {
    ...{ plan: "starter", isTrial: true, priceMinor: 0, monthlyCredits: 0 },
    ...{ days: 16 - customer.daysAgo, startsAt, createdAt: startsAt },
  });
  await seedSite(customer, userId, trial);
}

function seedSite(
  { business, domain, isSiteHeld }: DemoCustomer,
  userId: number,
  { id, status, startsAt, endsAt }: Subscription,
): Promise<Site> {
  const isExpired = status === "expired";
  return makeSite(userId, {
    ...{ name: business, domain, widgetColor: pickWidgetColor(userId), createdAt: startsAt },
    subscriptionId: isExpired ? null : id,
    updatedAt: isExpired ? fromNow(-13 * DAY) : getLastChange(startsAt, endsAt),
    ...(isExpired && {
      ...{ isActive: false, suspendedReason: "subscription_ended" as const },
      suspendedAt: fromNow(-13 * DAY),
    }),
    ...(isSiteHeld && {
      ...{ isActive: false, suspendedReason: "administrator" as const },
      suspendedAt: getLastChange(startsAt, endsAt),
    }),
  });
}

const pickWidgetColor = (ownerId: number) => WIDGET_COLORS[ownerId % WIDGET_COLORS.length];

/** A believable time of the last change, between the creation and now. */
function getLastChange(createdAt: Date, endsAt: Date): Date {
  const age = Date.now() - createdAt.getTime();
  const share = (endsAt.getUTCDate() % 10) / 20;
  return new Date(Date.now() - age * share);
}

async function seedLicence(
  { resellerId, administratorId }: Programme,
  ownerId: number,
  { daysAgo, name, domain, paid }: { daysAgo: number; name: string; domain: string; paid: boolean },
): Promise<void> {
  const openedAt = fromNow(-daysAgo * DAY);
  const paidAt = fromNow(-(daysAgo - 4) * DAY);
  const site = await makeSite(ownerId, {
    widgetColor: pickWidgetColor(ownerId),
    name,
    domain,
    createdAt: openedAt,
    updatedAt: paid ? paidAt : openedAt,
  });
  const licence = await makeLicence(resellerId, {
    ...{ siteId: site.id, domains: [domain], periodStart: openedAt, createdAt: openedAt },
    periodEnd: fromNow((365 - daysAgo) * DAY),
    payBy: fromNow((LICENCE_PAYMENT_DAYS - daysAgo) * DAY),
    ...(paid && { status: "active" as const, paidAt }),
  });
  if (paid)
    await seedPayment(toPaidLicence(licence), {
      ...(await createFinishedInvoice(paidAt)),
      recordedById: administratorId,
    });
}

/** Seeds a customer whose licence was paid for a year and not renewed: the renewal was abandoned after 60 days. */
export async function seedAbandonedLicence({ resellerId, administratorId }: Programme): Promise<void> {
  const openedAt = fromNow(-440 * DAY);
  const paidAt = fromNow(-436 * DAY);
  const endedAt = fromNow(-75 * DAY);
  const owner = await makeUser({
    ...buildAccountData("levent.ozkan@example.com", "Levent Özkan", "+905321000199"),
    ...{ resellerId, createdAt: openedAt, emailVerifiedAt: openedAt },
  });
  const domain = "ozkannakliyat.example.com";
  const site = await makeSite(owner.id, {
    ...{ name: "Özkan Nakliyat", domain, createdAt: openedAt, updatedAt: endedAt },
    ...{ isActive: false, suspendedReason: "licence_unpaid", suspendedAt: endedAt },
  });
  const data = { siteId: site.id, domains: [domain] };
  const paidLicence = await makeLicence(resellerId, {
    ...{ ...data, status: "expired", periodStart: openedAt, periodEnd: endedAt, paidAt },
    ...{ payBy: fromNow((LICENCE_PAYMENT_DAYS - 440) * DAY), createdAt: openedAt },
  });
  await makeLicence(resellerId, {
    ...{ ...data, status: "cancelled", closedReason: "unpaid", periodStart: endedAt, payBy: endedAt },
    ...{ periodEnd: fromNow(290 * DAY), createdAt: fromNow(-105 * DAY) },
  });
  await seedPayment(toPaidLicence(paidLicence), {
    ...(await createFinishedInvoice(paidAt)),
    recordedById: administratorId,
  });
}

async function seedImport(resellerId: number): Promise<void> {
  const importedCustomers = CUSTOMERS.filter(({ email }) => IMPORTED_EMAILS.includes(email));
  const report = [
    ...importedCustomers.map(({ name, email }) => ({ name, email, phone: null, outcome: "invited" })),
    { name: "Ayşe Kaya", email: "customer@example.com", phone: null, outcome: "has_account" },
    { name: "Metin Uzun", email: "metin.uzun", phone: null, outcome: "email_invalid" },
  ].map((row, index) => ({ row: index + 2, ...row }));
  await prisma().customerImport.create({
    data: {
      ...{ resellerId, fileName: "müşteriler.csv", rows: [["Ad Soyad", "E-posta"]], headingRow: 1 },
      ...{ mapping: { name: 0, last_name: null, email: 1, phone: null }, state: "done", locale: "tr" },
      ...{ total: report.length, done: report.length, report, createdAt: fromNow(-9 * DAY) },
    },
  });
}
