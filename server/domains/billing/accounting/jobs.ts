import { DAY, fromNow, HOUR } from "@/server/core/time";
import { wake } from "@/server/domains/billing/payments/service/wake";
import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { setting } from "@/server/infrastructure/settings";
import { removeStored } from "@/server/infrastructure/storage/removal";
import { storage } from "@/server/infrastructure/storage/storage";
import { CLOSED, OPEN } from "./policy";
import { isPaused, mailAdministrators } from "./service/access";
import { advance } from "./service/advance";
import { free } from "./service/hold";
import { INVOICES } from "./service/steps";
import { insertMissing } from "./statements";

/** Documents enqueued per run, most urgent first; the job runs every minute. */
const WAKE_LIMIT = 100;
const BATCH = 500;
const REMINDER_DAYS = 2;
const CALL_RETENTION = 2 * 365 * DAY;

export async function makeDocumentJob({ documentId }: { documentId: number }): Promise<void> {
  await advance(documentId);
}

/**
 * Enqueues due documents: new payments, retries after their back-off, expired leases of crashed processes.
 */
export async function wakeDocumentsJob(): Promise<void> {
  const { db } = outside();
  if (await isPaused({ db })) return;
  const due = await db.accountingDocument.findMany({
    where: {
      state: { in: [...OPEN] },
      AND: [free(), { OR: [{ nextAt: null }, { nextAt: { lte: new Date() } }] }],
    },
    orderBy: [{ deadlineAt: "asc" }, { id: "asc" }],
    take: WAKE_LIMIT,
    select: { id: true },
  });
  for (const { id } of due) await wake(outside(), id);
}

/** Creates missing documents of recorded payments (skipped ones have one) and deletes old calls. */
export async function backfillDocumentsJob(): Promise<void> {
  const vatRate = await setting(outside(), "vat_rate");
  for (;;) {
    const inserted = await insertMissing(outside(), { vatRate, limit: BATCH });
    if (inserted.length < BATCH) break;
  }
  await outside().db.accountingCall.deleteMany({ where: { at: { lt: fromNow(-CALL_RETENTION) } } });
  await wakeDocumentsJob();
}

export async function remindDeadlinesJob(): Promise<void> {
  await inTransaction(async (tx) => {
    const open = { state: { notIn: [...CLOSED] } };
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
  const files = (await storage().list(INVOICES)).filter(
    ({ changedAt }) => changedAt.getTime() < Date.now() - HOUR,
  );
  if (files.length === 0) return;
  const used = await outside().db.accountingDocument.findMany({
    where: { pdfKey: { in: files.map(({ key }) => key) } },
    select: { pdfKey: true },
  });
  const usedKeys = new Set(used.map(({ pdfKey }) => pdfKey));
  for (const { key } of files) if (!usedKeys.has(key)) await removeStored(key);
}
