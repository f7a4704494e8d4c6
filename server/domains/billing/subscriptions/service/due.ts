import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { toAmount, toMinor } from "@/server/core/money";
import { formatText } from "@/server/core/texts";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import { SUBSCRIPTION_GRACE_DAYS } from "@/server/domains/sites/slots/contract";
import { listSlotSubscriptions } from "@/server/domains/sites/slots/service";
import { getLicenceDomain } from "@/server/domains/sites/slots/service/licences";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { DUE_ITEMS_MAX, type getDue } from "../contract";
import { isPlanOffered } from "./plans";

type DueItem = Output<typeof getDue>["due"][number];
interface DueRows {
  rows: DueItem[];
  count: number;
}

/** The description of `getDue` repeats it. */
const ENDS_SOON_DAYS = 7;

export async function listDuePayments(ctx: Context<UserActor>): Promise<Output<typeof getDue>> {
  const { userId, isAgent, onlySiteId } = ctx.actor.scope;
  // ID 0 matches no site.
  const siteId = onlySiteId ?? 0;
  const [waitingInvoices, ...results] = await Promise.all([
    isAgent ? null : findWaitingInvoices(ctx, userId),
    findExpiredSubscriptions(ctx, userId, isAgent ? { id: siteId } : { userId }),
    findDueSubscriptions(ctx, userId, isAgent ? { sites: { some: { id: siteId } } } : { userId }),
    findDueLicences(ctx, userId, isAgent ? { siteId } : { OR: [{ userId }, { site: { userId } }] }),
  ]);
  const data = results
    .flatMap(({ rows }) => rows)
    .sort((a, b) => Date.parse(a.until) - Date.parse(b.until))
    .slice(0, DUE_ITEMS_MAX);
  const count = results.reduce((sum, row) => sum + row.count, 0);
  return { success: true, due: data, data, count, waiting_invoices: waitingInvoices };
}

/** The payer sees amount and reference; other accounts see the payer as contact. */
function toPayerFields(payer: { id: number; name: string; email: string }, callerId: number) {
  const isOwn = payer.id === callerId;
  return { isOwn, contact: isOwn ? null : { name: payer.name, email: payer.email } };
}

const PAYER_ARGS = { select: { id: true, name: true, email: true } } as const;

/** Fields that only expired subscriptions have. */
const NOT_EXPIRED = { plan_id: null, is_trial: false, sites_count: null, site_name: null } as const;

/**
 * Returns the subscription whose end suspended the sites, unless the account has ordered a plan or has a free slot
 * for each of them.
 */
async function findExpiredSubscriptions(
  { db, sql }: Pick<DbAccess, "db" | "sql">,
  callerId: number,
  siteFilter: Prisma.SiteWhereInput,
): Promise<DueRows> {
  const where = { ...siteFilter, suspendedReason: "subscription_ended", deletedAt: null } as const;
  const [sitesCount, site] = await Promise.all([
    db.site.count({ where }),
    db.site.findFirst({ where, select: { id: true, name: true, owner: PAYER_ARGS } }),
  ]);
  if (!site) return { rows: [], count: 0 };
  const userId = site.owner.id;
  const { isOwn, contact } = toPayerFields(site.owner, callerId);
  const [ended, slotSubscriptions, ordersCount] = await Promise.all([
    findLastEndedSubscription({ db }, userId),
    listSlotSubscriptions({ sql }, userId),
    // Agents do not see the owner's orders.
    isOwn ? db.subscription.count({ where: { userId, status: "pending", endsAt: { gt: new Date() } } }) : 0,
  ]);
  const freeSlotsCount = slotSubscriptions.reduce((sum, row) => sum + row.slotCount - row.usedSlotCount, 0);
  if (!ended || ordersCount > 0 || freeSlotsCount >= sitesCount) return { rows: [], count: 0 };
  const { id, planName, plan, isTrial, endedAt } = ended;
  return {
    rows: [
      {
        kind: "expired",
        id,
        name: planName,
        site_id: sitesCount === 1 ? site.id : null,
        plan_id: isPlanOffered(plan) ? plan.id : null,
        is_trial: isTrial,
        sites_count: sitesCount,
        site_name: sitesCount === 1 ? site.name : null,
        until: toIsoMicros(endedAt),
        overdue: true,
        amount: isOwn ? toAmount(toMinor(plan.price)) : null,
        currency: plan.currency,
        reference: null,
        contact,
      },
    ],
    count: 1,
  };
}

/** Finds the subscription that lost its slots last: at the end of its grace period, by a reversal or to a renewal. */
async function findLastEndedSubscription({ db }: Pick<DbAccess, "db">, userId: number) {
  const subscriptions = await db.subscription.findMany({
    where: {
      userId,
      OR: [{ status: "expired" }, { status: "cancelled", closedReason: { in: ["reversed", "renewed"] } }],
    },
    select: {
      id: true,
      planName: true,
      isTrial: true,
      endsAt: true,
      closedReason: true,
      plan: true,
      renewal: { select: { createdAt: true } },
      payments: { where: { reversedAt: { not: null } }, select: { reversedAt: true } },
    },
  });
  return subscriptions
    .map(({ endsAt, closedReason, renewal, payments, ...subscription }) => {
      const closedAt = closedReason === "reversed" ? payments[0]?.reversedAt : renewal?.createdAt;
      const graceEnd = new Date(endsAt.getTime() + SUBSCRIPTION_GRACE_DAYS * DAY);
      return { ...subscription, endedAt: (closedReason && closedAt) || graceEnd };
    })
    .sort((a, b) => b.endedAt.getTime() - a.endedAt.getTime() || b.id - a.id)[0];
}

async function findDueSubscriptions(
  { db }: Pick<DbAccess, "db">,
  callerId: number,
  filter: Prisma.SubscriptionWhereInput,
): Promise<DueRows> {
  const where = {
    ...filter,
    OR: [
      { status: { in: ["past_due", "pending"] } },
      { status: "active", endsAt: { lt: fromNow(ENDS_SOON_DAYS * DAY) } },
    ],
  } satisfies Prisma.SubscriptionWhereInput;
  const results = await db.subscription.findMany({
    where,
    orderBy: [{ endsAt: "asc" }, { id: "asc" }],
    take: DUE_ITEMS_MAX,
    select: {
      id: true,
      status: true,
      planName: true,
      isTrial: true,
      priceMinor: true,
      currency: true,
      reference: true,
      endsAt: true,
      user: PAYER_ARGS,
      plan: { select: { id: true, price: true, isActive: true, eligible: true } },
    },
  });
  const now = new Date();
  const rows = results.map(
    ({ id, status, planName, isTrial, priceMinor, currency, reference, endsAt, user, plan }) => {
      const { isOwn, contact } = toPayerFields(user, callerId);
      const isOrder = status === "pending";
      const hasEnded = !isOrder && endsAt <= now;
      return {
        ...NOT_EXPIRED,
        plan_id: isTrial && isPlanOffered(plan) ? plan.id : null,
        is_trial: isTrial,
        kind: isOrder ? ("order" as const) : hasEnded ? ("past_due" as const) : ("ends" as const),
        id,
        name: planName,
        site_id: null,
        until: toIsoMicros(hasEnded ? new Date(endsAt.getTime() + SUBSCRIPTION_GRACE_DAYS * DAY) : endsAt),
        overdue: hasEnded,
        // An order keeps its price; a renewal has the plan's current price.
        amount: isOwn ? toAmount(isOrder ? priceMinor : toMinor(plan.price)) : null,
        currency,
        // After a trial, a plan is ordered; the order has the reference.
        reference: isOwn && !isTrial ? reference : null,
        contact,
      };
    },
  );
  return {
    rows,
    count: results.length < DUE_ITEMS_MAX ? results.length : await db.subscription.count({ where }),
  };
}

/** Finds unpaid licences. Only the payer gets those of deleted sites. */
async function findDueLicences(
  { db, locale }: Pick<Context, "db" | "locale">,
  callerId: number,
  filter: Prisma.SiteLicenceWhereInput,
): Promise<DueRows> {
  const where = {
    AND: [filter, { status: "pending", OR: [{ site: { deletedAt: null } }, { userId: callerId }] }],
  } satisfies Prisma.SiteLicenceWhereInput;
  const results = await db.siteLicence.findMany({
    where,
    orderBy: [{ payBy: "asc" }, { id: "asc" }],
    take: DUE_ITEMS_MAX,
    select: {
      id: true,
      // In whole lira.
      priceTry: true,
      reference: true,
      payBy: true,
      user: PAYER_ARGS,
      domains: true,
      site: { select: { id: true, name: true, domain: true, deletedAt: true } },
    },
  });
  const now = new Date();
  const rows = results.map(({ id, priceTry, reference, payBy, user, domains, site }) => {
    const { isOwn, contact } = toPayerFields(user, callerId);
    return {
      ...NOT_EXPIRED,
      kind: "licence" as const,
      id,
      name: site.deletedAt
        ? (getLicenceDomain({ domains, site }) ?? formatText(locale, "billing.licences.deletedSite"))
        : site.name,
      site_id: site.deletedAt ? null : site.id,
      until: toIsoMicros(payBy),
      overdue: payBy <= now,
      amount: isOwn ? toAmount(toMinor(priceTry)) : null,
      currency: "TRY",
      reference: isOwn ? reference : null,
      contact,
    };
  });
  return {
    rows,
    count: results.length < DUE_ITEMS_MAX ? results.length : await db.siteLicence.count({ where }),
  };
}

async function findWaitingInvoices(
  { db }: Pick<DbAccess, "db">,
  userId: number,
): Promise<Output<typeof getDue>["waiting_invoices"]> {
  const invoices = await db.accountingDocument.findMany({
    where: { payment: { userId }, state: "needs_data" },
    orderBy: { deadlineAt: "asc" },
    select: { missing: true, deadlineAt: true },
  });
  const [first] = invoices;
  if (!first) return null;
  return {
    count: invoices.length,
    missing: [...new Set(invoices.flatMap(({ missing }) => missing))],
    deadline_at: toIsoMicros(first.deadlineAt),
  };
}
