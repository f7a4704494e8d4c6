import { randomBytes } from "node:crypto";
import { closeLicences } from "@/server/domains/sites/slots/service/licences";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { SITE_DEFAULTS } from "../policy";
import { lockOpenLicences, lockSiteRows, retireSiteRows } from "../statements";

/**
 * Clears deleted sites. The rows stay, because licences refer to them. Lock the owner's subscriptions first.
 */
export async function retireOwnedRecords(
  tx: DbAccess,
  siteIds: number[],
  closedReason: "site_deleted" | "account_deleted",
): Promise<void> {
  const whereSiteIds = { siteId: { in: siteIds } };
  await lockOpenLicences(tx, { siteIds });
  await lockSiteRows(tx, { ids: siteIds });
  await tx.db.externalKey.deleteMany({ where: whereSiteIds });
  await closeLicences(tx, { siteIds, reason: closedReason });
  const unusableHashes = siteIds.map(() => randomBytes(32));
  await retireSiteRows(tx, {
    ids: siteIds,
    keyHashes: unusableHashes,
    name: "Silinmiş site",
    defaults: SITE_DEFAULTS,
  });
}
