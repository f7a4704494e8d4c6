import type { Context } from "@/server/core/context";
import { emit } from "@/server/domains/accounts/webhooks/service/events";
import { cleanUpAfterSiteDeletion } from "@/server/domains/sites/connections/service/clean-up";
import { findConnectionsOnlyOnSites } from "@/server/domains/sites/connections/service/teardown";
import { clearDeletedSites } from "@/server/domains/sites/sites/service/retire";
import { dismissAgents } from "@/server/domains/tenancy/team/service/revoke-former-access";

/** Also ends keys, mail accounts, invitations and agents. Lock the owner first, then the subscriptions. */
export async function retireSites(
  tx: Context,
  ids: number[],
  reason: "site_deleted" | "account_deleted",
): Promise<void> {
  if (ids.length === 0) return;
  // With `account_deleted`, the caller removes all connections of the account.
  const unusedConnections = reason === "site_deleted" ? await findConnectionsOnlyOnSites(tx, ids) : [];
  const sites = await tx.db.site.findMany({
    where: { id: { in: ids } },
    orderBy: { id: "asc" },
    select: { id: true, domain: true, userId: true },
  });
  for (const { id, domain, userId } of sites)
    await emit(tx, { type: "site.deleted", ownerId: userId, data: { id, domain, user_id: userId } });
  await clearDeletedSites(tx, ids, reason);
  await cleanUpAfterSiteDeletion(tx, unusedConnections, tx.actor.kind === "user" ? tx.actor.id : null);
  const where = { siteId: { in: ids } };
  await tx.db.mailAccount.deleteMany({ where });
  await tx.db.invitation.deleteMany({ where });
  await dismissAgents(tx, { assignedSiteId: { in: ids } });
}
