import { columnToDay, toTurkishDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { toAmount, toMinor } from "@/server/core/money";
import { DAY, toIsoMicros } from "@/server/core/time";
import { listSlotSubscriptions } from "@/server/domains/sites/slots/service";
import { listNoticeDays } from "@/server/domains/sites/slots/service/notices";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DocumentState } from "@/server/infrastructure/database/generated/enums";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { getSetting } from "@/server/infrastructure/settings";
import { DOCUMENTS_MAX, type getBilling } from "../contract";
import { requireBillingOwner } from "./access";
import { forecastAtEnd, getSlotsUntil } from "./forecast";
import { listFirstLicences } from "./licences";
import { listOpenOrders } from "./orders";

type Billing = Output<typeof getBilling>;

export async function getBillingOverview(ctx: Context<UserActor>): Promise<Billing> {
  const { id: userId } = ctx.actor;
  await requireBillingOwner(ctx);
  const [slotSubscriptions, bank, subscriptions, orders, licenceFields, documents] = await Promise.all([
    listSlotSubscriptions(ctx, userId),
    getSetting(ctx, "bank"),
    listSubscriptions(ctx, userId),
    listOpenOrders(ctx, userId),
    listFirstLicences(ctx, userId),
    listDocuments(ctx, userId),
  ]);
  const [total, used] = [
    slotSubscriptions.reduce((sum, row) => sum + row.slotCount, 0),
    slotSubscriptions.reduce((sum, row) => sum + row.usedSlotCount, 0),
  ];
  const lastEndingSubscription = slotSubscriptions.at(-1);
  return {
    success: true,
    plan: lastEndingSubscription
      ? { name: lastEndingSubscription.plan, ends_at: toIsoMicros(lastEndingSubscription.endsAt) }
      : null,
    slots: { total, used, remaining: total - used },
    bank,
    subscriptions,
    orders,
    ...licenceFields,
    documents,
  };
}

const SUBSCRIPTION_SELECT = {
  id: true,
  planId: true,
  planName: true,
  status: true,
  isTrial: true,
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
type SubscriptionRow = Prisma.SubscriptionGetPayload<{ select: typeof SUBSCRIPTION_SELECT }>;

async function listSubscriptions(
  tx: Pick<DbAccess, "db">,
  userId: number,
): Promise<Billing["subscriptions"]> {
  const rows = await tx.db.subscription.findMany({
    where: { userId, status: { in: ["active", "past_due", "expired"] } },
    orderBy: { id: "desc" },
    select: SUBSCRIPTION_SELECT,
  });
  const liveSubscriptions = rows.filter(({ status }) => status !== "expired");
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      plan_id: row.planId,
      plan: row.planName,
      status: row.status as Billing["subscriptions"][number]["status"],
      is_trial: row.isTrial,
      reference: row.reference,
      amount: toAmount(row.priceMinor),
      renewal_amount: toAmount(toMinor(row.plan.price)),
      currency: row.currency,
      site_slots: row.siteSlots,
      used_slots: row.usedSlots,
      monthly_credits: row.monthlyCredits,
      starts_at: toIsoMicros(row.startsAt),
      ends_at: toIsoMicros(row.endsAt),
      reminder_days: liveSubscriptions.includes(row) ? listReminderDays(row) : [],
      slots_until: liveSubscriptions.includes(row) ? toIsoMicros(getSlotsUntil(row)) : null,
      at_end: liveSubscriptions.includes(row) ? await forecastAtEnd(tx, row, liveSubscriptions) : null,
    })),
  );
}

/** Days in Turkey on which `remindOfEndingSubscriptions()` sends a mail. */
const listReminderDays = ({ startsAt, endsAt }: SubscriptionRow) =>
  listNoticeDays({ periodMs: endsAt.getTime() - startsAt.getTime() }).map((days) =>
    toTurkishDay(new Date(endsAt.getTime() - days * DAY)),
  );

async function listDocuments({ db }: Pick<DbAccess, "db">, userId: number): Promise<Billing["documents"]> {
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
      deadlineAt: true,
      payment: { select: { paidAt: true } },
    },
  });
  return rows.map(
    ({ id, state, grossMinor, currency, documentNumber, missing, pdfKey, deadlineAt, payment }) => ({
      id,
      state: toBilledState(state),
      amount: toAmount(grossMinor),
      currency,
      paid_at: columnToDay(payment.paidAt),
      number: documentNumber,
      missing,
      deadline_at: state === "needs_data" ? toIsoMicros(deadlineAt) : null,
      has_pdf: state === "done" && pdfKey !== null,
    }),
  );
}

function toBilledState(state: DocumentState): Billing["documents"][number]["state"] {
  if (state === "done" || state === "needs_data" || state === "skipped") return state;
  return state === "cancelled" || state === "cancelling" ? "cancelled" : "queued";
}
