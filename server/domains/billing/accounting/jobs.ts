import { DAY, fromNow, HOUR } from "@/server/core/time";
import { enqueueDocument } from "@/server/domains/billing/payments/service/enqueue-document";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { setting } from "@/server/infrastructure/settings";
import { removeStored } from "@/server/infrastructure/storage/removal";
import { storage } from "@/server/infrastructure/storage/storage";
import { PROCESSING_STATES, SETTLED_STATES } from "./policy";
import { isPaused, mailAdministrators } from "./service/access";
import { notLeased } from "./service/lease";
import { processDocument } from "./service/process";
import { INVOICE_FOLDER } from "./service/steps";
import { insertMissingDocuments } from "./statements";

/** Documents enqueued per run, most urgent first; the job runs every minute. */
const WAKE_LIMIT = 100;
const BATCH = 500;
const REMINDER_DAYS = 2;
const CALL_RETENTION = 2 * 365 * DAY;

export async function processDocumentJob({ documentId }: { documentId: number }): Promise<void> {
  await processDocument(documentId);
}

/**
 * Enqueues due documents: new payments, retries after their back-off, expired leases of crashed processes.
 */
export async function enqueueDueDocumentsJob(): Promise<void> {
  const { db } = withoutTransaction();
  if (await isPaused({ db })) return;
  const due = await db.accountingDocument.findMany({
    where: {
      state: { in: [...PROCESSING_STATES] },
      AND: [notLeased(), { OR: [{ nextAt: null }, { nextAt: { lte: new Date() } }] }],
    },
    orderBy: [{ deadlineAt: "asc" }, { id: "asc" }],
    take: WAKE_LIMIT,
    select: { id: true },
  });
  for (const { id } of due) await enqueueDocument(withoutTransaction(), id);
}

/** Creates missing documents of recorded payments (skipped ones have one) and deletes old calls. */
export async function backfillDocumentsJob(): Promise<void> {
  const vatRate = await setting(withoutTransaction(), "vat_rate");
  for (;;) {
    const inserted = await insertMissingDocuments(withoutTransaction(), { vatRate, limit: BATCH });
    if (inserted.length < BATCH) break;
  }
  await withoutTransaction().db.accountingCall.deleteMany({
    where: { at: { lt: fromNow(-CALL_RETENTION) } },
  });
  await enqueueDueDocumentsJob();
}

export async function remindDeadlinesJob(): Promise<void> {
  await inTransaction(async (tx) => {
    const open = { state: { notIn: [...SETTLED_STATES] } };
    const now = new Date();
    const late = await tx.db.accountingDocument.count({ where: { ...open, deadlineAt: { lt: now } } });
    const soon = await tx.db.accountingDocument.count({
      where: { ...open, deadlineAt: { gte: now, lt: fromNow(REMINDER_DAYS * DAY) } },
    });
    if (late + soon === 0) return;
    await mailAdministrators(tx, {
      template: "invoices_due",
      path: "/admin/accounting",
      params: { late, soon },
    });
  });
}

/** Deletes PDFs without a document, left by a crash between writing the file and the row. */
export async function sweepInvoicesJob(): Promise<void> {
  const files = (await storage().list(INVOICE_FOLDER)).filter(
    ({ changedAt }) => changedAt.getTime() < Date.now() - HOUR,
  );
  if (files.length === 0) return;
  const used = await withoutTransaction().db.accountingDocument.findMany({
    where: { pdfKey: { in: files.map(({ key }) => key) } },
    select: { pdfKey: true },
  });
  const usedKeys = new Set(used.map(({ pdfKey }) => pdfKey));
  for (const { key } of files) if (!usedKeys.has(key)) await removeStored(key);
}
