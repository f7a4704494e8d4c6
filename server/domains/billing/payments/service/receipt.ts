import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ulid } from "ulid";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import { FileOutput, type Input, type Output, type WithFile } from "@/server/core/contract";
import { createNotFoundError, invalidField } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockCallerAndAccount } from "@/server/domains/accounts/users/service/own-account";
import { toPaymentRow } from "@/server/domains/billing/records/service/rows";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { storage } from "@/server/infrastructure/storage/storage";
import type { downloadReceipt, uploadReceipt } from "../contract";
import { getPayment } from "./record-payment";

/** Private storage folder, never served directly. */
export const RECEIPT_FOLDER = "receipts";

/** File signatures; some programs write a byte order mark or line breaks before `%PDF-`. */
const RECEIPT_SIGNATURES = {
  jpg: /^\xFF\xD8\xFF/,
  png: /^\x89PNG\r\n[^\r\n]\n/,
  pdf: /^(?:\xEF\xBB\xBF)?[\r\n]{0,8}%PDF-/,
};

/** Attaches a receipt to a payment; a job deletes the previous file after the commit. */
export async function attachReceipt(
  ctx: Context<UserActor>,
  { params: { id }, file }: Input<typeof uploadReceipt> & WithFile,
): Promise<Output<typeof uploadReceipt>> {
  requireAdministrator(ctx.actor);
  const storedPayment = await ctx.db.payment.findUnique({ where: { id }, select: { userId: true } });
  if (!storedPayment) throw createNotFoundError("Payment", id);
  const bytes = await buffer(file.content);
  const extension = detectExtension(bytes);
  if (!extension) throw invalidField("file", "receipt_type");
  const receiptKey = `${RECEIPT_FOLDER}/${ulid()}.${extension}`;
  // If the transaction fails, `sweep_receipts` deletes the file.
  await storage().write(receiptKey, Readable.from([bytes]));
  const payment = await withTransaction(ctx, async (tx) => {
    await lockCallerAndAccount(tx, storedPayment.userId);
    const previousPayment = await tx.db.payment.findUniqueOrThrow({
      where: { id },
      select: { receiptKey: true },
    });
    await tx.db.payment.update({ where: { id }, data: { receiptKey }, select: { id: true } });
    if (previousPayment.receiptKey) await addJob(tx, "remove_file", { key: previousPayment.receiptKey });
    await audit(tx, { action: "payment.receipt_added", object: { type: "Payment", id } });
    return getPayment(tx, id);
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.receipt_saved"),
    payment: toPaymentRow(payment),
  };
}

export async function downloadReceiptFile(
  { actor, db }: Context<UserActor>,
  { params: { id } }: Input<typeof downloadReceipt>,
): Promise<FileOutput> {
  requireAdministrator(actor);
  const payment = await db.payment.findUnique({ where: { id }, select: { receiptKey: true } });
  const file = payment?.receiptKey && (await storage().read(payment.receiptKey));
  if (!file) throw createNotFoundError("Payment", id);
  const extension = payment.receiptKey!.split(".").at(-1);
  return new FileOutput(file, { type: "application/octet-stream", name: `receipt-${id}.${extension}` });
}

function detectExtension(bytes: Buffer): string | undefined {
  const firstBytes = bytes.subarray(0, 16).toString("latin1");
  return Object.entries(RECEIPT_SIGNATURES).find(([, signature]) => signature.test(firstBytes))?.[0];
}
