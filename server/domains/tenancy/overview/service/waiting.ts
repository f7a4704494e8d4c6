import type { Output } from "@/server/core/contract";
import { toAmount, toMinor } from "@/server/core/money";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import { STATES_WITH_DEADLINE } from "@/server/domains/billing/accounting/contract";
import { SUBSCRIPTION_GRACE_DAYS } from "@/server/domains/sites/slots/contract";
import { getLicenceDomain } from "@/server/domains/sites/slots/service/licences";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { getOverview } from "../contract";
import { DUE_INVOICE_DAYS, WAITING_ITEMS_MAX } from "../policy";

type WaitingItem = Output<typeof getOverview>["waiting"][number];
type WaitingRequest = Output<typeof getOverview>["requests"][number];

const ACCOUNT_ARGS = { select: { id: true, name: true } } as const;
const toAccountFields = ({ id, name }: { id: number; name: string }) => ({ user_id: id, user_name: name });

export async function listWaitingItems(tx: Pick<DbAccess, "db">): Promise<WaitingItem[]> {
  const items = await Promise.all([
    listSubscriptions(tx, { kind: "orders", status: "pending" }),
    listLicences(tx),
    listSubscriptions(tx, { kind: "past_due", status: "past_due" }),
    listInvoices(tx, "late_invoices", {
      state: { in: [...STATES_WITH_DEADLINE] },
      deadlineAt: { lt: new Date() },
    }),
    listInvoices(tx, "due_invoices", {
      state: { in: STATES_WITH_DEADLINE.filter((state) => state !== "failed") },
      deadlineAt: { gte: new Date(), lt: fromNow(DUE_INVOICE_DAYS * DAY) },
    }),
    listInvoices(tx, "failed_invoices", { state: "failed" }),
  ]);
  return items.flat();
}

/** Lists resets of second factors that wait for their time or an approval. */
export async function listWaitingRequests({ db }: Pick<DbAccess, "db">): Promise<WaitingRequest[]> {
  const rows = await db.adminAction.findMany({
    where: { kind: "reset_two_factor", state: "waiting" },
    orderBy: [{ runAt: "asc" }, { id: "asc" }],
    take: WAITING_ITEMS_MAX,
    select: {
      ...{ id: true, runAt: true, needsApproval: true, approvedById: true, target: ACCOUNT_ARGS },
      requestedBy: { select: { name: true } },
    },
  });
  return rows.map(({ id, runAt, needsApproval, approvedById, target, requestedBy }) => ({
    ...{ kind: "factor_resets" as const, id, ...toAccountFields(target) },
    requested_by: requestedBy?.name ?? null,
    run_at: toIsoMicros(runAt),
    needs_approval: needsApproval && approvedById === null,
  }));
}

async function listSubscriptions(
  { db }: Pick<DbAccess, "db">,
  { kind, status }: { kind: "orders"; status: "pending" } | { kind: "past_due"; status: "past_due" },
): Promise<WaitingItem[]> {
  const rows = await db.subscription.findMany({
    // Nothing is owed after a trial.
    where: { status, isTrial: false },
    orderBy: [{ endsAt: "asc" }, { id: "asc" }],
    take: WAITING_ITEMS_MAX,
    select: {
      ...{ id: true, planName: true, priceMinor: true, currency: true, endsAt: true, user: ACCOUNT_ARGS },
      plan: { select: { price: true } },
    },
  });
  return rows.map(({ id, planName, priceMinor, currency, endsAt, user, plan }) => ({
    ...{ kind, id, ...toAccountFields(user), subject: planName, currency },
    // An order keeps its price; a renewal has the plan's current price.
    amount: toAmount(kind === "orders" ? priceMinor : toMinor(plan.price)),
    until: toIsoMicros(
      kind === "orders" ? endsAt : new Date(endsAt.getTime() + SUBSCRIPTION_GRACE_DAYS * DAY),
    ),
  }));
}

async function listLicences({ db }: Pick<DbAccess, "db">): Promise<WaitingItem[]> {
  const rows = await db.siteLicence.findMany({
    where: { status: "pending" },
    orderBy: [{ payBy: "asc" }, { id: "asc" }],
    take: WAITING_ITEMS_MAX,
    select: {
      ...{ id: true, priceTry: true, payBy: true, domains: true, user: ACCOUNT_ARGS },
      site: { select: { name: true, domain: true, deletedAt: true } },
    },
  });
  return rows.map(({ id, priceTry, payBy, domains, user, site }) => ({
    ...{ kind: "licences" as const, id, ...toAccountFields(user), currency: "TRY" },
    subject: site.deletedAt ? getLicenceDomain({ domains, site }) : site.name,
    amount: toAmount(toMinor(priceTry)),
    until: toIsoMicros(payBy),
  }));
}

async function listInvoices(
  { db }: Pick<DbAccess, "db">,
  kind: "late_invoices" | "due_invoices" | "failed_invoices",
  where: Prisma.AccountingDocumentWhereInput,
): Promise<WaitingItem[]> {
  const rows = await db.accountingDocument.findMany({
    where,
    orderBy: [{ deadlineAt: "asc" }, { id: "asc" }],
    take: WAITING_ITEMS_MAX,
    select: {
      ...{ id: true, grossMinor: true, currency: true, deadlineAt: true },
      payment: { select: { user: ACCOUNT_ARGS } },
    },
  });
  return rows.map(({ id, grossMinor, currency, deadlineAt, payment }) => ({
    ...{ kind, id, ...toAccountFields(payment.user), subject: null, currency },
    amount: toAmount(grossMinor),
    until: toIsoMicros(deadlineAt),
  }));
}
