import { toTurkishDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createNotFoundError } from "@/server/core/errors";
import { toIsoMicros } from "@/server/core/time";
import type { BillTo } from "@/server/domains/billing/billing-profile/service";
import { BILL_TO_SEAL_PURPOSE } from "@/server/domains/billing/payments/service/record-payment";
import { unseal } from "@/server/infrastructure/secrets/seal";
import type { getDocument } from "../contract";
import { PROCESSING_STATES, type Problem, type Step } from "../policy";
import { toDocumentRow } from "./rows";

const CALLS_MAX = 200;
const PROCESSING_STATE_SET = new Set<string>(PROCESSING_STATES);

/** States in which an administrator may skip an invoice, or change the details of an unsent one. */
export const ADJUSTABLE_STATES = ["queued", "contact", "needs_data", "failed"] as const;

export async function getDocumentDetails(
  { actor, db }: Context<UserActor>,
  { params: { id } }: Input<typeof getDocument>,
): Promise<Output<typeof getDocument>> {
  requireAdministrator(actor);
  const row = await db.accountingDocument.findUnique({
    where: { id },
    include: {
      payment: {
        select: {
          paidAt: true,
          state: true,
          billToSealed: true,
          user: { select: { id: true, name: true, email: true } },
        },
      },
      skippedBy: { select: { name: true } },
      calls: { orderBy: { id: "desc" }, take: CALLS_MAX },
    },
  });
  if (!row) throw createNotFoundError("AccountingDocument", id);
  const { tax_number, ...billTo } = JSON.parse(
    unseal(row.payment.billToSealed, BILL_TO_SEAL_PURPOSE),
  ) as BillTo;
  const isBusy = row.lockedUntil !== null && row.lockedUntil > new Date();
  const isUnsent = row.issueDate === null && !isBusy;
  const isAdjustable = (ADJUSTABLE_STATES as readonly string[]).includes(row.state) && !isBusy;
  const document = {
    ...toDocumentRow(row),
    marker: row.marker,
    issue_date: row.issueDate && toTurkishDay(row.issueDate),
    kind: row.kind as "e_archive" | "e_invoice" | null,
    remote: {
      contact: row.contactRemoteId,
      invoice: row.invoiceRemoteId,
      payment: row.paymentRemoteId,
      document: row.documentRemoteId,
    },
    uuid: row.documentUuid,
    cancellable_until: toIsoMicros(row.cancellableUntil),
    problem_text: row.problemText,
    attempts: row.attempts,
    next_at: toIsoMicros(row.nextAt),
    is_busy: isBusy,
    skipped_at: toIsoMicros(row.skippedAt),
    skipped_by: row.skippedBy?.name ?? null,
    skip_reason: row.skipReason,
    done_at: toIsoMicros(row.doneAt),
    bill_to: {
      kind: billTo.kind,
      title: billTo.title ?? null,
      tax_number_last_four: tax_number?.slice(-4) ?? null,
      tax_office: billTo.tax_office ?? null,
      address: billTo.address ?? null,
      district: billTo.district ?? null,
      city: billTo.city ?? null,
      country: billTo.country ?? "TR",
      email: billTo.email ?? null,
    },
    // manage.ts checks these conditions again.
    can: {
      resume:
        !isBusy &&
        (PROCESSING_STATE_SET.has(row.state) || row.state === "needs_data" || row.state === "failed"),
      change: isUnsent && ["queued", "contact", "needs_data", "failed"].includes(row.state),
      skip: isAdjustable && (isUnsent || row.state === "failed"),
      lift: row.state === "skipped" && row.payment.state === "recorded",
    },
    calls: row.calls.toReversed().map(({ id: callId, step, call, status, outcome, detail, ms, at }) => ({
      ...{
        id: callId,
        step: step as Step | "cancelling",
        call,
        status,
        outcome: outcome as Problem | "ok",
        detail,
        ms,
      },
      at: toIsoMicros(at),
    })),
  };
  return { success: true, document, data: document };
}
