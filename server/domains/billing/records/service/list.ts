import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { pageOf } from "@/server/core/list";
import type { listLicences, listPayments, listSubscriptions } from "../contract";
import { licencesWhere, orderBy, paymentsWhere, subscriptionsWhere } from "./filters";
import { LICENCE, licenceRow, PAYMENT, paymentRow, SUBSCRIPTION, subscriptionRow } from "./rows";

export const SORTS = {
  subscriptions: { ends_at: "endsAt" },
  payments: { paid_at: "paidAt", amount: "amountMinor" },
  licences: { pay_by: "payBy", period_end: "periodEnd" },
} as const;

export async function subscriptions(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listSubscriptions>,
): Promise<Output<typeof listSubscriptions>> {
  requireAdministrator(actor);
  const where = subscriptionsWhere(query);
  const { rows, ...page } = pageOf(query);
  const [total, records] = await Promise.all([
    db.subscription.count({ where }),
    db.subscription.findMany({
      where,
      ...rows,
      orderBy: orderBy(query.sort, SORTS.subscriptions),
      ...SUBSCRIPTION,
    }),
  ]);
  const data = records.map(subscriptionRow);
  return { success: true, subscriptions: data, data, count: data.length, meta: { ...page, total } };
}

export async function payments(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listPayments>,
): Promise<Output<typeof listPayments>> {
  requireAdministrator(actor);
  const where = paymentsWhere(query);
  const { rows, ...page } = pageOf(query);
  const [total, records] = await Promise.all([
    db.payment.count({ where }),
    db.payment.findMany({ where, ...rows, orderBy: orderBy(query.sort, SORTS.payments), ...PAYMENT }),
  ]);
  const data = records.map(paymentRow);
  return { success: true, payments: data, data, count: data.length, meta: { ...page, total } };
}

export async function licences(
  { actor, db }: Context<UserActor>,
  { query }: Input<typeof listLicences>,
): Promise<Output<typeof listLicences>> {
  requireAdministrator(actor);
  const where = licencesWhere(query);
  const { rows, ...page } = pageOf(query);
  const [total, records] = await Promise.all([
    db.siteLicence.count({ where }),
    db.siteLicence.findMany({ where, ...rows, orderBy: orderBy(query.sort, SORTS.licences), ...LICENCE }),
  ]);
  const data = records.map(licenceRow);
  return { success: true, licences: data, data, count: data.length, meta: { ...page, total } };
}
