import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { FileOutput, Input } from "@/server/core/contract";
import { type Batch, createCsvFile, readInBatches } from "@/server/core/csv";
import type { downloadLicences, downloadPayments, downloadSubscriptions } from "../contract";
import { buildLicenceWhere, buildOrderBy, buildPaymentWhere, buildSubscriptionWhere } from "./filters";
import { SORT_COLUMNS } from "./list";
import {
  LICENCE_ARGS,
  PAYMENT_ARGS,
  SUBSCRIPTION_ARGS,
  toLicenceRow,
  toPaymentRow,
  toSubscriptionRow,
} from "./rows";

async function* streamCsvRows<Row extends { id: number; user: { name: string; email: string } }>(
  readBatch: (batch: Batch) => Promise<Row[]>,
) {
  for await (const { user, ...row } of readInBatches(readBatch))
    yield { ...row, user: user.name, email: user.email };
}

export async function downloadSubscriptionsCsv(
  { actor, db, locale }: Context<UserActor>,
  { query }: Input<typeof downloadSubscriptions>,
): Promise<FileOutput> {
  requireAdministrator(actor);
  const args = {
    where: buildSubscriptionWhere(query),
    orderBy: buildOrderBy(query.sort, SORT_COLUMNS.subscriptions),
  };
  const rows = streamCsvRows(async (batch) =>
    (await db.subscription.findMany({ ...args, ...batch, ...SUBSCRIPTION_ARGS })).map(toSubscriptionRow),
  );
  const columns = [
    ...["id", "user_id", "user", "email", "plan", "is_trial", "status", "price", "currency"],
    ...["site_slots", "used_slots"],
    ...["starts_at", "ends_at", "reference", "closed_reason", "renews_subscription_id", "created_at"],
  ];
  return createCsvFile(rows, { name: "subscriptions.csv", columns, locale });
}

export async function downloadPaymentsCsv(
  { actor, db, locale }: Context<UserActor>,
  { query }: Input<typeof downloadPayments>,
): Promise<FileOutput> {
  requireAdministrator(actor);
  const args = { where: buildPaymentWhere(query), orderBy: buildOrderBy(query.sort, SORT_COLUMNS.payments) };
  const rows = streamCsvRows(async (batch) =>
    (await db.payment.findMany({ ...args, ...batch, ...PAYMENT_ARGS })).map(toPaymentRow),
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
  return createCsvFile(rows, { name: "payments.csv", columns, locale });
}

export async function downloadLicencesCsv(
  { actor, db, locale }: Context<UserActor>,
  { query }: Input<typeof downloadLicences>,
): Promise<FileOutput> {
  requireAdministrator(actor);
  const args = { where: buildLicenceWhere(query), orderBy: buildOrderBy(query.sort, SORT_COLUMNS.licences) };
  const rows = streamCsvRows(async (batch) =>
    (await db.siteLicence.findMany({ ...args, ...batch, ...LICENCE_ARGS })).map(toLicenceRow),
  );
  const columns = [
    ...["id", "user_id", "user", "email", "site_id", "domain", "status", "price", "currency", "period_start"],
    ...["period_end", "pay_by", "paid_at", "reference", "closed_reason", "absorbed_by_id", "created_at"],
  ];
  return createCsvFile(rows, { name: "licences.csv", columns, locale });
}
