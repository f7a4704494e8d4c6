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

/** Documents that one run makes jobs of, the most urgent first; the next run follows in a minute. */
const AT_ONCE = 100;
/** Rows that one statement inserts. */
const BATCH = 500;
/** Days before the deadline on which administrators are reminded. */
const REMINDED = 2;
const CALLS_KEPT = 2 * 365 * DAY;

/** Brings one document as far as it goes. */
export async function makeDocumentJob({ documentId }: { documentId: number }): Promise<void> {
  await advance(documentId);
}

/** Makes jobs of what is due: payments that were just recorded, failures whose pause is over, holds of the dead. */
export async function wakeDocumentsJob(): Promise<void> {
  const { db } = outside();
  if (await isPaused({ db })) return;
  const due = await db.accountingDocument.findMany({
    where: {
      state: { in: [...OPEN] },
      AND: [free(), { OR: [{ nextAt: null }, { nextAt: { lte: new Date() } }] }],
    },
    orderBy: [{ deadlineAt: "asc" }, { id: "asc" }],
    take: AT_ONCE,
    select: { id: true },
  });
  for (const { id } of due) await wake(outside(), id);
}

/** Gives recorded payments without a document one. Those that were skipped have one, and stay as they are. */
export async function backfillDocumentsJob(): Promise<void> {
  const vatRate = await setting(outside(), "vat_rate");
  for (;;) {
    const made = await insertMissing(outside(), { vatRate, limit: BATCH });
    if (made.length < BATCH) break;
  }
  await outside().db.accountingCall.deleteMany({ where: { at: { lt: fromNow(-CALLS_KEPT) } } });
  await wakeDocumentsJob();
}

/** Tells administrators once a day of what is late, or will be in two days. */
export async function remindDeadlinesJob(): Promise<void> {
  await inTransaction(async (tx) => {
    const open = { state: { notIn: [...CLOSED] } };
    const now = new Date();
    const late = await tx.db.accountingDocument.count({ where: { ...open, deadlineAt: { lt: now } } });
    const soon = await tx.db.accountingDocument.count({
      where: { ...open, deadlineAt: { gte: now, lt: fromNow(REMINDED * DAY) } },
    });
    if (late + soon === 0) return;
    await mailAdministrators(tx, {
      template: "invoices_due",
      path: "/admin/accounting",
      params: { late, soon },
    });
  });
}

/** Deletes PDFs that no document has: left by a crash between file and row. */
export async function sweepInvoicesJob(): Promise<void> {
  const old = (await storage().list(INVOICES)).filter(
    ({ changedAt }) => changedAt.getTime() < Date.now() - HOUR,
  );
  if (old.length === 0) return;
  const used = await outside().db.accountingDocument.findMany({
    where: { pdfKey: { in: old.map(({ key }) => key) } },
    select: { pdfKey: true },
  });
  const live = new Set(used.map(({ pdfKey }) => pdfKey));
  for (const { key } of old) if (!live.has(key)) await removeStored(key);
}
