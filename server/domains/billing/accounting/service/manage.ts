import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalid, outOfReach, refuse } from "@/server/core/errors";
import { fold } from "@/server/core/fold";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockOwnAccountAnd, withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { type BillTo, billToOf, saveProfile } from "@/server/domains/billing/billing-profile/service";
import { BILL_TO_PURPOSE } from "@/server/domains/billing/payments/service/record";
import { wake } from "@/server/domains/billing/payments/service/wake";
import type { DocumentState } from "@/server/infrastructure/database/generated/enums";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import type { putDocumentData, resumeDocument, skipDocument, unskipDocument } from "../contract";
import { OPEN, SKIP_WORDS } from "../policy";
import { SKIPPABLE } from "./get";
import { free } from "./hold";

const ACCEPTED = new Set(Object.values(SKIP_WORDS).map(folded));

/** As it goes on: nothing is left of what stood in its way, and it is due at once. */
const ANEW = { step: null, nextAt: null, attempts: 0 };

/** Goes on with a document now, from the step where it stands. */
export async function resume(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof resumeDocument>,
): Promise<Output<typeof resumeDocument>> {
  requireAdministrator(ctx.actor);
  return withOwnAccount(ctx, async (tx) => {
    const row = await found(tx, id);
    if (row.step === null && !(OPEN as readonly string[]).includes(row.state))
      throw refuse("document_closed");
    if (!(await goOn(tx, { id, ...row }))) throw refuse("document_closed");
    return done(ctx, "invoice_resumed");
  });
}

/** Lets a document go on from the step where it stands; false when somebody else was faster. */
export async function goOn(
  tx: Context,
  { id, state: was, step }: { id: number; state: DocumentState; step: DocumentState | null },
): Promise<boolean> {
  // A job of then is over by now: the step before looks whether it has made anything.
  const state = step === "polling" ? "edocument" : (step ?? was);
  const { count } = await tx.db.accountingDocument.updateMany({
    where: { id, state: was, ...(step !== null && free()) },
    data: { ...ANEW, state, ...(step === "polling" && { jobAt: null, jobRemoteId: null }) },
  });
  if (count === 0) return false;
  await wake(tx, id);
  await audit(tx, {
    action: "invoice.resumed",
    object: { type: "AccountingDocument", id },
    details: { step: state },
  });
  return true;
}

/** Saves whom an invoice is made out to, while nothing of it was sent, and lets it go on. */
export async function putData(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof putDocumentData>,
): Promise<Output<typeof putDocumentData>> {
  requireAdministrator(ctx.actor);
  return withTransaction(ctx, async (tx) => {
    // The accounts first, as whoever takes its payment back or saves its billing details does.
    await lockOwnAccountAnd(tx, (await found(tx, id)).payment.user.id);
    const row = await found(tx, id);
    const { payment } = row;
    // Then it is taken: a job that holds it, or has sent it, wins.
    const { count } = await tx.db.accountingDocument.updateMany({
      where: { id, state: { in: [...SKIPPABLE] }, issueDate: null, ...free() },
      data: { ...ANEW, state: "queued", problem: null, problemText: null, missing: [] },
    });
    if (count === 0) throw refuse(row.issueDate === null ? "document_closed" : "document_begun");
    const frozen = JSON.parse(unseal(payment.billToSealed, BILL_TO_PURPOSE)) as BillTo;
    const { tax_number = frozen.tax_number, ...given } = body;
    if (!payment.user.anonymisedAt) await saveProfile(tx, payment.user.id, { ...given, tax_number });
    const billTo = payment.user.anonymisedAt
      ? ({ ...frozen, ...asBillTo(given), tax_number } satisfies BillTo)
      : await billToOf(tx, payment.user);
    await tx.db.payment.update({
      where: { id: row.paymentId },
      data: { billToSealed: seal(JSON.stringify(billTo), BILL_TO_PURPOSE) },
      select: { id: true },
    });
    await wake(tx, id);
    await audit(tx, { action: "invoice.data_changed", object: { type: "AccountingDocument", id } });
    return done(ctx, "invoice_data_saved");
  });
}

/** Decides that an invoice is never made; closes one that was taken back by hand. */
export async function skip(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof skipDocument>,
): Promise<Output<typeof skipDocument>> {
  requireAdministrator(ctx.actor);
  return withOwnAccount(ctx, async (tx) => {
    const row = await found(tx, id);
    if (!ACCEPTED.has(folded(body.confirmation))) throw invalid("confirmation", "skip_word");
    if (!(SKIPPABLE as readonly string[]).includes(row.state))
      throw refuse((OPEN as readonly string[]).includes(row.state) ? "document_begun" : "document_closed");
    const byHand = row.state === "failed" && row.step === "cancelling";
    const { count } = await tx.db.accountingDocument.updateMany({
      // What failed is nobody's work; anything else only while nothing was sent.
      where: { id, state: row.state, ...(row.state !== "failed" && { issueDate: null }), ...free() },
      data: byHand
        ? { ...ANEW, state: "cancelled", skipReason: body.reason }
        : {
            ...{ ...ANEW, state: "skipped", skippedAt: new Date(), skippedById: ctx.actor.id },
            ...{ skipReason: body.reason, missing: [] },
          },
    });
    if (count === 0) throw refuse("document_begun");
    await audit(tx, {
      action: "invoice.skipped",
      object: { type: "AccountingDocument", id },
      details: { reason: body.reason, state: row.state },
    });
    return done(ctx, "invoice_skipped");
  });
}

/** Lifts that: the invoice is made after all. */
export async function unskip(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof unskipDocument>,
): Promise<Output<typeof unskipDocument>> {
  requireAdministrator(ctx.actor);
  return withOwnAccount(ctx, async (tx) => {
    await found(tx, id);
    const { count } = await tx.db.accountingDocument.updateMany({
      where: { id, state: "skipped", payment: { state: "recorded" } },
      data: {
        ...ANEW,
        state: "queued",
        skippedAt: null,
        skippedById: null,
        skipReason: null,
        problem: null,
        problemText: null,
      },
    });
    if (count === 0) throw refuse("document_closed");
    await wake(tx, id);
    await audit(tx, {
      action: "invoice.unskipped",
      object: { type: "AccountingDocument", id },
      details: { reason: body.reason },
    });
    return done(ctx, "invoice_unskipped");
  });
}

const USER = { select: { id: true, name: true, email: true, anonymisedAt: true } } as const;

async function found({ db }: Context, id: number) {
  const row = await db.accountingDocument.findUnique({
    where: { id },
    select: {
      ...{ state: true, step: true, issueDate: true, paymentId: true },
      payment: { select: { billToSealed: true, user: USER } },
    },
  });
  if (!row) throw outOfReach(undefined, "AccountingDocument", id);
  return row;
}

function asBillTo(given: Omit<Input<typeof putDocumentData>["body"], "tax_number">) {
  return {
    ...{
      kind: given.kind,
      title: given.title,
      tax_office: given.tax_office ?? null,
      address: given.address ?? null,
    },
    ...{ district: given.district ?? null, city: given.city ?? null, country: given.country ?? "TR" },
    email: given.email ?? null,
  };
}

function done({ locale }: Context, name: string) {
  return { success: true as const, message: text(locale, `responses.${name}`) };
}

/** The Turkish letters i, and marks, do not count; spaces do once. */
function folded(word: string): string {
  return fold(word.trim().replace(/\s+/g, " "));
}
