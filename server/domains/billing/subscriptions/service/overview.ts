import { dayOfColumn } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { amountOf, toMinor } from "@/server/core/money";
import { DAY, isoMicros } from "@/server/core/time";
import { GRACE_DAYS } from "@/server/domains/sites/slots/contract";
import { payingAt, slotsOf } from "@/server/domains/sites/slots/service";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DocumentState } from "@/server/infrastructure/database/generated/enums";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { setting } from "@/server/infrastructure/settings";
import { DOCUMENTS_MAX, FORECAST_SITES_MAX, type getBilling } from "../contract";
import { firstLicencesOf } from "./licences";
import { billingOfOwnerError } from "./owner-error";

type Billing = Output<typeof getBilling>;

export async function overview(ctx: Context<UserActor>): Promise<Billing> {
  const { id: userId, scope } = ctx.actor;
  if (scope.isAgent) throw await billingOfOwnerError(ctx, userId);
  const [slots, bank, subscriptions, orders, licences, documents] = await Promise.all([
    slotsOf(ctx, userId),
    setting(ctx, "bank"),
    subscriptionsOf(ctx, userId),
    ordersOf(ctx, userId),
    firstLicencesOf(ctx, userId),
    documentsOf(ctx, userId),
  ]);
  const [total, used] = [
    slots.reduce((sum, row) => sum + row.slots, 0),
    slots.reduce((sum, row) => sum + row.used, 0),
  ];
  const last = slots.at(-1);
  return {
    success: true,
    plan: last ? { name: last.plan, ends_at: isoMicros(last.endsAt) } : null,
    slots: { total, used, remaining: total - used },
    bank,
    subscriptions,
    orders,
    ...licences,
    documents,
  };
}

const SUBSCRIPTION = {
  id: true,
  planName: true,
  status: true,
  reference: true,
  priceMinor: true,
  currency: true,
  siteSlots: true,
  usedSlots: true,
  monthlyCredits: true,
  startsAt: true,
  endsAt: true,
  plan: { select: { price: true } },
} as const satisfies Prisma.SubscriptionSelect;
type Row = Prisma.SubscriptionGetPayload<{ select: typeof SUBSCRIPTION }>;

const slotsUntil = ({ endsAt }: Row) => new Date(endsAt.getTime() + GRACE_DAYS * DAY);

async function subscriptionsOf(tx: Pick<DbAccess, "db">, userId: number): Promise<Billing["subscriptions"]> {
  const rows = await tx.db.subscription.findMany({
    where: { userId, status: { in: ["active", "past_due", "expired"] } },
    orderBy: { id: "desc" },
    select: SUBSCRIPTION,
  });
  const live = rows.filter(({ status }) => status !== "expired");
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      plan: row.planName,
      status: row.status as Billing["subscriptions"][number]["status"],
      reference: row.reference,
      amount: amountOf(row.priceMinor),
      renewal_amount: amountOf(toMinor(row.plan.price)),
      currency: row.currency,
      site_slots: row.siteSlots,
      used_slots: row.usedSlots,
      monthly_credits: row.monthlyCredits,
      starts_at: isoMicros(row.startsAt),
      ends_at: isoMicros(row.endsAt),
      slots_until: live.includes(row) ? isoMicros(slotsUntil(row)) : null,
      at_end: live.includes(row) ? await forecastAtEnd(tx, row, live) : null,
    })),
  );
}

/** Forecasts which sites move to another slot or are suspended at the end. Must match `releaseSites()`. */
async function forecastAtEnd({ db }: Pick<DbAccess, "db">, row: Row, live: Row[]) {
  const others = live.filter((other) => other !== row && slotsUntil(other) > slotsUntil(row));
  const free = others.reduce((sum, { siteSlots, usedSlots }) => sum + siteSlots - usedSlots, 0);
  const dependent = { subscriptionId: row.id, licences: { none: payingAt(slotsUntil(row)) } };
  const count = await db.site.count({ where: dependent });
  const moved = Math.min(free, count);
  const suspended = count - moved;
  const listSites = (direction: "asc" | "desc", count: number) =>
    db.site.findMany({
      where: dependent,
      orderBy: { id: direction },
      take: Math.min(count, FORECAST_SITES_MAX),
      select: { id: true, name: true, domain: true },
    });
  return {
    moved_count: moved,
    moved: await listSites("asc", moved),
    suspended_count: suspended,
    suspended: await listSites("desc", suspended),
  };
}

async function ordersOf({ db }: Pick<DbAccess, "db">, userId: number): Promise<Billing["orders"]> {
  const rows = await db.subscription.findMany({
    where: { userId, status: "pending" },
    orderBy: { id: "asc" },
    select: { id: true, planName: true, reference: true, priceMinor: true, currency: true, endsAt: true },
  });
  return rows.map(({ id, planName, reference, priceMinor, currency, endsAt }) => ({
    id,
    plan: planName,
    reference,
    amount: amountOf(priceMinor),
    currency,
    expires_at: isoMicros(endsAt),
  }));
}

async function documentsOf({ db }: Pick<DbAccess, "db">, userId: number): Promise<Billing["documents"]> {
  const rows = await db.accountingDocument.findMany({
    where: { payment: { userId } },
    orderBy: { id: "desc" },
    take: DOCUMENTS_MAX,
    select: {
      id: true,
      state: true,
      grossMinor: true,
      currency: true,
      documentNumber: true,
      missing: true,
      pdfKey: true,
      payment: { select: { paidAt: true } },
    },
  });
  return rows.map(({ id, state, grossMinor, currency, documentNumber, missing, pdfKey, payment }) => ({
    id,
    state: billedState(state),
    amount: amountOf(grossMinor),
    currency,
    paid_at: dayOfColumn(payment.paidAt),
    number: documentNumber,
    missing,
    has_pdf: state === "done" && pdfKey !== null,
  }));
}

/** State shown to the customer, without internal steps and failures. */
function billedState(state: DocumentState): Billing["documents"][number]["state"] {
  if (state === "done" || state === "needs_data" || state === "skipped") return state;
  return state === "cancelled" || state === "cancelling" ? "cancelled" : "queued";
}
