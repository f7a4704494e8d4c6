import { randomBytes } from "node:crypto";
import { closeLicences } from "@/server/domains/sites/slots/service/licences";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { SITE_DEFAULTS } from "../policy";
import { lockOpenLicences, retireSiteRows, selectSitesForUpdate } from "../statements";

/** The rows stay, because licences refer to them. Lock the owner's subscriptions first. */
export async function clearDeletedSites(
  tx: DbAccess,
  ids: number[],
  closedReason: "site_deleted" | "account_deleted",
): Promise<void> {
  const whereSiteIds = { siteId: { in: ids } };
  await lockOpenLicences(tx, { siteIds: ids });
  await selectSitesForUpdate(tx, { ids });
  await tx.db.externalKey.deleteMany({ where: whereSiteIds });
  await closeLicences(tx, { siteIds: ids, reason: closedReason });
  const unusableHashes = ids.map(() => randomBytes(32));
  await retireSiteRows(tx, { ids, hashes: unusableHashes, name: "Silinmiş site", defaults: SITE_DEFAULTS });
}
