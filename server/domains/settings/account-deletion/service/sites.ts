import { randomBytes } from "node:crypto";
import type { Work } from "@/server/infrastructure/database/transaction";
import { lockSites, retireSites } from "../statements";

/**
 * Retires the sites of an account. Their rows stay, because licences and subscriptions refer to them, but without
 * texts, domain or working keys; their old domains are free.
 */
export async function stripSites(tx: Work, userId: number): Promise<void> {
  const sites = await lockSites(tx, { userId });
  if (sites.length === 0) return;
  const ofSites = { site: { userId } };
  await tx.db.externalKey.deleteMany({ where: ofSites });
  await tx.db.mailAccount.deleteMany({ where: ofSites });
  await tx.db.invitation.deleteMany({ where: ofSites });
  // Agents of another account's team who were assigned to one of them lose that site.
  await tx.db.user.updateMany({
    where: { assignedSite: { userId }, isAgentOnly: true },
    data: { assignedSiteId: null, isActive: false },
  });
  const ids = sites.map(({ id }) => id);
  await retireSites(tx, { ids, hashes: ids.map(() => randomBytes(32)) });
}
