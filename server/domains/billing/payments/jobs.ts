import { HOUR } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { removeStoredFile } from "@/server/infrastructure/storage/removal";
import { storage } from "@/server/infrastructure/storage/storage";
import { RECEIPT_FOLDER } from "./service/receipt";

/** Deletes receipts without a payment, left by a crash between writing the file and the row. */
export async function sweepReceiptsJob(): Promise<void> {
  const files = (await storage().list(RECEIPT_FOLDER)).filter(
    ({ changedAt }) => changedAt.getTime() < Date.now() - HOUR,
  );
  if (files.length === 0) return;
  const payments = await withoutTransaction().db.payment.findMany({
    where: { receiptKey: { not: null } },
    select: { receiptKey: true },
  });
  const usedKeys = new Set(payments.map(({ receiptKey }) => receiptKey));
  for (const { key } of files) if (!usedKeys.has(key)) await removeStoredFile(key);
}
