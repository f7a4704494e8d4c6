import type { Context } from "@/server/core/context";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import { cleanUpAfterSiteDeletion } from "@/server/domains/sites/connections/service/clean-up";
import { findConnectionsOnlyOnSites } from "@/server/domains/sites/connections/service/teardown";
import { retireOwnedRecords } from "@/server/domains/sites/sites/service/retire";
import { dismissAgents } from "@/server/domains/tenancy/team/service/revoke-former-access";

/** Also ends keys, mail accounts, invitations and agents. Lock the owner first, then the subscriptions. */
export async function retireSites(
  tx: Context,
  siteIds: number[],
  reason: "site_deleted" | "account_deleted",
): Promise<void> {
  if (siteIds.length === 0) return;
  // With `account_deleted`, the caller removes all connections of the account.
  const unusedConnections = reason === "site_deleted" ? await findConnectionsOnlyOnSites(tx, siteIds) : [];
  const sites = await tx.db.site.findMany({
    where: { id: { in: siteIds } },
    orderBy: { id: "asc" },
    select: { id: true, domain: true, userId: true },
  });
  for (const { id, domain, userId } of sites)
    await emitWebhookEvent(tx, {
      type: "site.deleted",
      ownerId: userId,
      data: { id, domain, user_id: userId },
    });
  await retireOwnedRecords(tx, siteIds, reason);
  await cleanUpAfterSiteDeletion(tx, unusedConnections, tx.actor.kind === "user" ? tx.actor.id : null);
  const where = { siteId: { in: siteIds } };
  await tx.db.mailAccount.deleteMany({ where });
  await tx.db.invitation.deleteMany({ where });
  await dismissAgents(tx, { assignedSiteId: { in: siteIds } });
}
