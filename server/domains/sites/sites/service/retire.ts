import { randomBytes } from "node:crypto";
import type { Work } from "@/server/infrastructure/database/transaction";
import { lockLicences, lockRows, retireRows } from "../statements";

/**
 * Ends sites without undo. Their rows stay as a trace, because licences refer to them, but without texts, keys or domain,
 * which is free again; their slots are free, their open licences cancelled, but for what is overdue. Lock the
 * subscriptions of their owner first.
 */
export async function retire(
  tx: Work,
  ids: number[],
  closedReason: "site_deleted" | "account_deleted",
): Promise<void> {
  const ofSites = { siteId: { in: ids } };
  await lockLicences(tx, { ids });
  await lockRows(tx, { ids });
  await tx.db.externalKey.deleteMany({ where: ofSites });
  // What was not paid in time stays a debt: else a site is deleted and created again, and never paid for.
  const paidOrPayable = [
    { status: "active" as const },
    { status: "pending" as const, payBy: { gt: new Date() } },
  ];
  await tx.db.siteLicence.updateMany({
    where: { ...ofSites, OR: paidOrPayable },
    data: { status: "cancelled", closedReason },
  });
  await retireRows(tx, { ids, hashes: ids.map(() => randomBytes(32)) });
}
