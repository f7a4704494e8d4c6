import { DAY, fromNow, HOUR } from "@/server/core/time";
import { enqueueDocument } from "@/server/domains/billing/payments/service/enqueue-document";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { getSetting } from "@/server/infrastructure/settings";
import { removeStoredFile } from "@/server/infrastructure/storage/removal";
import { storage } from "@/server/infrastructure/storage/storage";
import { PROCESSING_STATES, STATES_WITH_DEADLINE } from "./policy";
import { isInvoicingPaused, mailAdministrators } from "./service/access";
import { buildNotLeasedFilter } from "./service/lease";
import { processDocument } from "./service/process";
import { INVOICE_FOLDER } from "./service/steps";
import { insertMissingDocuments } from "./statements";

/** Documents per run, most urgent first. The job runs every minute. */
const ENQUEUE_BATCH_SIZE = 100;
const BACKFILL_BATCH_SIZE = 500;
const DEADLINE_REMINDER_DAYS = 2;
const CALL_RETENTION_MS = 2 * 365 * DAY;

export async function processDocumentJob({ documentId }: { documentId: number }): Promise<void> {
  await processDocument(documentId);
}

/** Enqueues new payments, retries after their back-off, and expired leases of crashed processes. */
export async function enqueueDueDocumentsJob(): Promise<void> {
  const { db } = withoutTransaction();
  if (await isInvoicingPaused({ db })) return;
  const dueDocuments = await db.accountingDocument.findMany({
    where: {
      state: { in: [...PROCESSING_STATES] },
      AND: [buildNotLeasedFilter(), { OR: [{ nextAt: null }, { nextAt: { lte: new Date() } }] }],
    },
    orderBy: [{ deadlineAt: "asc" }, { id: "asc" }],
    take: ENQUEUE_BATCH_SIZE,
    select: { id: true },
  });
  for (const { id } of dueDocuments) await enqueueDocument(withoutTransaction(), id);
}

/** Creates documents for recorded payments without one, and deletes old entries of the call log. */
export async function backfillDocumentsJob(): Promise<void> {
  const vatRate = await getSetting(withoutTransaction(), "vat_rate");
  for (;;) {
    const insertedDocuments = await insertMissingDocuments(withoutTransaction(), {
      vatRate,
      limit: BACKFILL_BATCH_SIZE,
    });
    if (insertedDocuments.length < BACKFILL_BATCH_SIZE) break;
  }
  await withoutTransaction().db.accountingCall.deleteMany({
    where: { at: { lt: fromNow(-CALL_RETENTION_MS) } },
  });
  await enqueueDueDocumentsJob();
}

export async function remindDeadlinesJob(): Promise<void> {
  await inTransaction(async (tx) => {
    const openFilter = { state: { in: [...STATES_WITH_DEADLINE] } };
    const now = new Date();
    const lateCount = await tx.db.accountingDocument.count({
      where: { ...openFilter, deadlineAt: { lt: now } },
    });
    const soonCount = await tx.db.accountingDocument.count({
      where: { ...openFilter, deadlineAt: { gte: now, lt: fromNow(DEADLINE_REMINDER_DAYS * DAY) } },
    });
    if (lateCount + soonCount === 0) return;
    await mailAdministrators(tx, {
      template: "invoices_due",
      path: "/admin/accounting",
      params: { late: lateCount, soon: soonCount },
    });
  });
}

/** Deletes PDFs without a document, left by a crash between writing the file and the row. */
export async function sweepInvoicesJob(): Promise<void> {
  const files = (await storage().list(INVOICE_FOLDER)).filter(
    ({ changedAt }) => changedAt.getTime() < Date.now() - HOUR,
  );
  if (files.length === 0) return;
  const documents = await withoutTransaction().db.accountingDocument.findMany({
    where: { pdfKey: { in: files.map(({ key }) => key) } },
    select: { pdfKey: true },
  });
  const usedKeys = new Set(documents.map(({ pdfKey }) => pdfKey));
  for (const { key } of files) if (!usedKeys.has(key)) await removeStoredFile(key);
}
