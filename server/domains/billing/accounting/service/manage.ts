import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createNotFoundError, invalidField } from "@/server/core/errors";
import { foldText } from "@/server/core/fold";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import {
  lockCallerAndAccount,
  withLockedOwnAccount,
} from "@/server/domains/accounts/users/service/own-account";
import { type BillTo, getBillTo, saveBillingProfile } from "@/server/domains/billing/billing-profile/service";
import { enqueueDocument } from "@/server/domains/billing/payments/service/enqueue-document";
import { BILL_TO_SEAL_PURPOSE } from "@/server/domains/billing/payments/service/record-payment";
import type { DocumentState } from "@/server/infrastructure/database/generated/enums";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import type { putDocumentData, resumeDocument, skipDocument, unskipDocument } from "../contract";
import { PROCESSING_STATES, SKIP_WORDS } from "../policy";
import { ADJUSTABLE_STATES } from "./document-details";
import { buildNotLeasedFilter } from "./lease";

const SKIP_CONFIRMATIONS = new Set(Object.values(SKIP_WORDS).map(foldConfirmation));

const RESTART_FIELDS = { step: null, nextAt: null, attempts: 0 };

export async function resumeInvoice(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof resumeDocument>,
): Promise<Output<typeof resumeDocument>> {
  requireAdministrator(ctx.actor);
  return withLockedOwnAccount(ctx, async (tx) => {
    const row = await requireDocument(tx, id);
    if (row.step === null && !(PROCESSING_STATES as readonly string[]).includes(row.state))
      throw createError("document_closed");
    if (!(await requeueDocument(tx, { id, ...row }))) throw createError("document_closed");
    return buildSuccessResponse(ctx, "invoice_resumed");
  });
}

/** Requeues a document at its current step. Returns false if its state has changed or a process holds it. */
export async function requeueDocument(
  tx: Context,
  { id, state: currentState, step }: { id: number; state: DocumentState; step: DocumentState | null },
): Promise<boolean> {
  // The old e-document job is lost; the step before detects whether it created the document.
  const state = step === "polling" ? "edocument" : (step ?? currentState);
  // Without a step, only the retry time changes: a process that holds the document may continue.
  const { count } = await tx.db.accountingDocument.updateMany({
    where: { id, state: currentState, ...(step !== null && buildNotLeasedFilter()) },
    data: { ...RESTART_FIELDS, state, ...(step === "polling" && { jobAt: null, jobRemoteId: null }) },
  });
  if (count === 0) return false;
  await enqueueDocument(tx, id);
  await audit(tx, {
    action: "invoice.resumed",
    object: { type: "AccountingDocument", id },
    details: { step: state },
  });
  return true;
}

/** Saves the recipient of an invoice that was not sent yet, and requeues it. */
export async function saveInvoiceData(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof putDocumentData>,
): Promise<Output<typeof putDocumentData>> {
  requireAdministrator(ctx.actor);
  return withTransaction(ctx, async (tx) => {
    // Lock order: accounts before documents, as in reversals and changes of the billing profile.
    await lockCallerAndAccount(tx, (await requireDocument(tx, id)).payment.user.id);
    const row = await requireDocument(tx, id);
    const { payment } = row;
    // Change nothing if a job holds the document or has sent it.
    const { count } = await tx.db.accountingDocument.updateMany({
      where: { id, state: { in: [...ADJUSTABLE_STATES] }, issueDate: null, ...buildNotLeasedFilter() },
      data: { ...RESTART_FIELDS, state: "queued", problem: null, problemText: null, missing: [] },
    });
    if (count === 0) throw createError(row.issueDate === null ? "document_closed" : "document_begun");
    const storedBillTo = JSON.parse(unseal(payment.billToSealed, BILL_TO_SEAL_PURPOSE)) as BillTo;
    const { tax_number = storedBillTo.tax_number, ...fields } = body;
    if (!payment.user.anonymisedAt) await saveBillingProfile(tx, payment.user.id, { ...fields, tax_number });
    const billTo = payment.user.anonymisedAt
      ? ({ ...storedBillTo, ...toBillTo(fields), tax_number } satisfies BillTo)
      : await getBillTo(tx, payment.user);
    await tx.db.payment.update({
      where: { id: row.paymentId },
      data: { billToSealed: seal(JSON.stringify(billTo), BILL_TO_SEAL_PURPOSE) },
      select: { id: true },
    });
    await enqueueDocument(tx, id);
    await audit(tx, { action: "invoice.data_changed", object: { type: "AccountingDocument", id } });
    return buildSuccessResponse(ctx, "invoice_data_saved");
  });
}

export async function skipInvoice(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof skipDocument>,
): Promise<Output<typeof skipDocument>> {
  requireAdministrator(ctx.actor);
  return withLockedOwnAccount(ctx, async (tx) => {
    const row = await requireDocument(tx, id);
    if (!SKIP_CONFIRMATIONS.has(foldConfirmation(body.confirmation)))
      throw invalidField("confirmation", "skip_word");
    if (!(ADJUSTABLE_STATES as readonly string[]).includes(row.state))
      throw createError(
        (PROCESSING_STATES as readonly string[]).includes(row.state) ? "document_begun" : "document_closed",
      );
    const isCancelledManually = row.state === "failed" && row.step === "cancelling";
    const { count } = await tx.db.accountingDocument.updateMany({
      // No job processes a failed document; any other must not have been sent.
      where: {
        id,
        state: row.state,
        ...(row.state !== "failed" && { issueDate: null }),
        ...buildNotLeasedFilter(),
      },
      data: isCancelledManually
        ? { ...RESTART_FIELDS, state: "cancelled", skipReason: body.reason }
        : {
            ...{ ...RESTART_FIELDS, state: "skipped", skippedAt: new Date(), skippedById: ctx.actor.id },
            ...{ skipReason: body.reason, missing: [] },
          },
    });
    if (count === 0) throw createError("document_begun");
    await audit(tx, {
      action: "invoice.skipped",
      object: { type: "AccountingDocument", id },
      details: { reason: body.reason, state: row.state },
    });
    return buildSuccessResponse(ctx, "invoice_skipped");
  });
}

export async function unskipInvoice(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof unskipDocument>,
): Promise<Output<typeof unskipDocument>> {
  requireAdministrator(ctx.actor);
  return withLockedOwnAccount(ctx, async (tx) => {
    await requireDocument(tx, id);
    const { count } = await tx.db.accountingDocument.updateMany({
      where: { id, state: "skipped", payment: { state: "recorded" } },
      data: {
        ...RESTART_FIELDS,
        state: "queued",
        skippedAt: null,
        skippedById: null,
        skipReason: null,
        problem: null,
        problemText: null,
      },
    });
    if (count === 0) throw createError("document_closed");
    await enqueueDocument(tx, id);
    await audit(tx, {
      action: "invoice.unskipped",
      object: { type: "AccountingDocument", id },
      details: { reason: body.reason },
    });
    return buildSuccessResponse(ctx, "invoice_unskipped");
  });
}

const USER_ARGS = { select: { id: true, name: true, email: true, anonymisedAt: true } } as const;

async function requireDocument({ db }: Context, id: number) {
  const row = await db.accountingDocument.findUnique({
    where: { id },
    select: {
      ...{ state: true, step: true, issueDate: true, paymentId: true },
      payment: { select: { billToSealed: true, user: USER_ARGS } },
    },
  });
  if (!row) throw createNotFoundError("AccountingDocument", id);
  return row;
}

function toBillTo(fields: Omit<Input<typeof putDocumentData>["body"], "tax_number">) {
  return {
    ...{
      kind: fields.kind,
      title: fields.title,
      tax_office: fields.tax_office ?? null,
      address: fields.address ?? null,
    },
    ...{ district: fields.district ?? null, city: fields.city ?? null, country: fields.country ?? "TR" },
    email: fields.email ?? null,
  };
}

function buildSuccessResponse({ locale }: Context, messageKey: string) {
  return { success: true as const, message: formatText(locale, `responses.${messageKey}`) };
}

function foldConfirmation(word: string): string {
  return foldText(word.trim().replace(/\s+/g, " "));
}
