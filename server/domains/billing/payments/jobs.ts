import { HOUR } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";
import { removeStored } from "@/server/infrastructure/storage/removal";
import { storage } from "@/server/infrastructure/storage/storage";
import { RECEIPTS } from "./service/receipt";

/** Deletes receipts that no payment has: left by a crash between file and row. */
export async function sweepReceiptsJob(): Promise<void> {
  const old = (await storage().list(RECEIPTS)).filter(
    ({ changedAt }) => changedAt.getTime() < Date.now() - HOUR,
  );
  if (old.length === 0) return;
  const used = await outside().db.payment.findMany({
    where: { receiptKey: { not: null } },
    select: { receiptKey: true },
  });
  const live = new Set(used.map(({ receiptKey }) => receiptKey));
  for (const { key } of old) if (!live.has(key)) await removeStored(key);
}
