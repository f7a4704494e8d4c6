import { randomBytes } from "node:crypto";
import { closeLicences } from "@/server/domains/sites/slots/service/licences";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { SITE_DEFAULTS } from "../policy";
import { lockLicences, lockSiteRows, retireSiteRows } from "../statements";

/**
 * Clears texts, keys and domain of deleted sites. The rows stay, because licences refer to them. Frees
 * slots and cancels open licences that are not overdue. Lock the owner's subscriptions first.
 */
export async function retire(
  tx: DbAccess,
  ids: number[],
  closedReason: "site_deleted" | "account_deleted",
): Promise<void> {
  const whereSites = { siteId: { in: ids } };
  await lockLicences(tx, { ids });
  await lockSiteRows(tx, { ids });
  await tx.db.externalKey.deleteMany({ where: whereSites });
  await closeLicences(tx, { siteIds: ids, reason: closedReason });
  const hashes = ids.map(() => randomBytes(32));
  await retireSiteRows(tx, { ids, hashes, name: "Silinmiş site", defaults: SITE_DEFAULTS });
}
