import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { FileOutput, Input } from "@/server/core/contract";
import { type Batch, csvFile, inBatches } from "@/server/core/csv";
import type { downloadLicences, downloadPayments, downloadSubscriptions } from "../contract";
import { licencesWhere, orderBy, paymentsWhere, subscriptionsWhere } from "./filters";
import { SORTS } from "./list";
import { LICENCE, licenceRow, PAYMENT, paymentRow, SUBSCRIPTION, subscriptionRow } from "./rows";

async function* streamRows<Row extends { id: number; user: { name: string; email: string } }>(
  read: (batch: Batch) => Promise<Row[]>,
) {
  for await (const { user, ...row } of inBatches(read)) yield { ...row, user: user.name, email: user.email };
}

export async function subscriptionsCsv(
  { actor, db, locale }: Context<UserActor>,
  { query }: Input<typeof downloadSubscriptions>,
): Promise<FileOutput> {
  requireAdministrator(actor);
  const args = { where: subscriptionsWhere(query), orderBy: orderBy(query.sort, SORTS.subscriptions) };
  const rows = streamRows(async (page) =>
    (await db.subscription.findMany({ ...args, ...page, ...SUBSCRIPTION })).map(subscriptionRow),
  );
  const columns = [
    ...["id", "user_id", "user", "email", "plan", "status", "price", "currency", "site_slots", "used_slots"],
    ...["starts_at", "ends_at", "reference", "closed_reason", "renews_subscription_id", "created_at"],
  ];
  return csvFile(rows, { name: "subscriptions.csv", columns, locale });
}

export async function paymentsCsv(
  { actor, db, locale }: Context<UserActor>,
  { query }: Input<typeof downloadPayments>,
): Promise<FileOutput> {
  requireAdministrator(actor);
  const args = { where: paymentsWhere(query), orderBy: orderBy(query.sort, SORTS.payments) };
  const rows = streamRows(async (page) =>
    (await db.payment.findMany({ ...args, ...page, ...PAYMENT })).map(paymentRow),
  );
  const columns = [
    ...["id", "user_id", "user", "email", "state", "amount", "currency", "paid_at", "bank_reference", "note"],
    ...[
      "subscription_id",
      "licence_id",
      "invoice",
      "recorded_by_id",
      "reversed_at",
      "reverse_reason",
      "created_at",
    ],
  ];
  return csvFile(rows, { name: "payments.csv", columns, locale });
}

export async function licencesCsv(
  { actor, db, locale }: Context<UserActor>,
  { query }: Input<typeof downloadLicences>,
): Promise<FileOutput> {
  requireAdministrator(actor);
  const args = { where: licencesWhere(query), orderBy: orderBy(query.sort, SORTS.licences) };
  const rows = streamRows(async (page) =>
    (await db.siteLicence.findMany({ ...args, ...page, ...LICENCE })).map(licenceRow),
  );
  const columns = [
    ...["id", "user_id", "user", "email", "site_id", "domain", "status", "price", "currency", "period_start"],
    ...["period_end", "pay_by", "paid_at", "reference", "closed_reason", "absorbed_by_id", "created_at"],
  ];
  return csvFile(rows, { name: "licences.csv", columns, locale });
}
