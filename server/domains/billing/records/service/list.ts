import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { parsePage } from "@/server/core/list";
import type { listLicences, listPayments, listSubscriptions } from "../contract";
import { buildLicenceWhere, buildOrderBy, buildPaymentWhere, buildSubscriptionWhere } from "./filters";
import {
  LICENCE_ARGS,
  PAYMENT_ARGS,
  SUBSCRIPTION_ARGS,
  toLicenceRow,
  toPaymentRow,
  toSubscriptionRow,
} from "./rows";

/** `created_at` has no column here: IDs are in order of creation, so the ID alone sorts by it. */
export const SORT_COLUMNS = {
  subscriptions: { ends_at: "endsAt" },
  payments: { paid_at: "paidAt", amount: "amountMinor" },
  licences: { pay_by: "payBy", period_end: "periodEnd" },
} as const;

export async function listSubscriptionPage(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listSubscriptions>,
): Promise<Output<typeof listSubscriptions>> {
  requireAdministrator(actor);
  const where = buildSubscriptionWhere(query);
  const { range, ...page } = parsePage(query);
  const [total, records] = await Promise.all([
    db.subscription.count({ where }),
    db.subscription.findMany({
      where,
      ...range,
      orderBy: buildOrderBy(query.sort, SORT_COLUMNS.subscriptions),
      ...SUBSCRIPTION_ARGS,
    }),
  ]);
  const data = records.map(toSubscriptionRow);
  return { success: true, subscriptions: data, data, count: data.length, meta: { ...page, total } };
}

export async function listPaymentPage(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listPayments>,
): Promise<Output<typeof listPayments>> {
  requireAdministrator(actor);
  const where = buildPaymentWhere(query);
  const { range, ...page } = parsePage(query);
  const [total, records] = await Promise.all([
    db.payment.count({ where }),
    db.payment.findMany({
      where,
      ...range,
      orderBy: buildOrderBy(query.sort, SORT_COLUMNS.payments),
      ...PAYMENT_ARGS,
    }),
  ]);
  const data = records.map(toPaymentRow);
  return { success: true, payments: data, data, count: data.length, meta: { ...page, total } };
}

export async function listLicencePage(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listLicences>,
): Promise<Output<typeof listLicences>> {
  requireAdministrator(actor);
  const where = buildLicenceWhere(query);
  const { range, ...page } = parsePage(query);
  const [total, records] = await Promise.all([
    db.siteLicence.count({ where }),
    db.siteLicence.findMany({
      where,
      ...range,
      orderBy: buildOrderBy(query.sort, SORT_COLUMNS.licences),
      ...LICENCE_ARGS,
    }),
  ]);
  const data = records.map(toLicenceRow);
  return { success: true, licences: data, data, count: data.length, meta: { ...page, total } };
}
