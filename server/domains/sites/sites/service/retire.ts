import { randomBytes } from "node:crypto";
import { closeLicences } from "@/server/domains/sites/slots/service/licences";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { NEW_SITE } from "../policy";
import { lockLicences, lockRows, retireRows } from "../statements";

/**
 * Licences refer to the rows, so they stay, without texts, keys and domain. Frees slots and cancels open
 * licences that are not overdue. Lock the owner's subscriptions first.
 */
export async function retire(
  tx: DbAccess,
  ids: number[],
  closedReason: "site_deleted" | "account_deleted",
): Promise<void> {
  const ofSites = { siteId: { in: ids } };
  await lockLicences(tx, { ids });
  await lockRows(tx, { ids });
  await tx.db.externalKey.deleteMany({ where: ofSites });
  await closeLicences(tx, { siteIds: ids, reason: closedReason });
  const hashes = ids.map(() => randomBytes(32));
  await retireRows(tx, { ids, hashes, name: "Silinmiş site", defaults: NEW_SITE });
}
