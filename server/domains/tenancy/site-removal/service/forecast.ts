import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toIsoMicros } from "@/server/core/time";
import { findConnectionsOnlyOnSites } from "@/server/domains/sites/connections/service/teardown";
import { listValidKeys } from "@/server/domains/sites/external-keys/service";
import { requireManageableSite } from "@/server/domains/sites/sites/service/manageable";
import { listSlotSubscriptions } from "@/server/domains/sites/slots/service";
import { listLicenceIdsOutlivingSite } from "@/server/domains/sites/slots/service/licences";
import type { getSiteRemoval } from "../contract";

/** Takes no locks, because `removeSite` checks everything again. */
export async function forecastRemoval(
  ctx: Context<UserActor>,
  { params }: Input<typeof getSiteRemoval>,
): Promise<Output<typeof getSiteRemoval>> {
  const { id, userId, domain, subscriptionId } = await requireManageableSite(ctx, ctx.actor, params.id);
  const { db } = ctx;
  const whereSite = { siteId: id };
  const [
    agents,
    invitationCount,
    externalKeys,
    mailAccount,
    licence,
    slotSubscriptions,
    connections,
    dueLicenceIds,
  ] = await Promise.all([
    db.user.findMany({
      where: { assignedSiteId: id, isAgentOnly: true },
      orderBy: { id: "asc" },
      select: { id: true, name: true },
    }),
    db.invitation.count({ where: { ...whereSite, acceptedAt: null } }),
    listValidKeys(ctx, id),
    db.mailAccount.findUnique({ where: whereSite, select: { fromAddress: true } }),
    db.siteLicence.findFirst({
      where: { ...whereSite, status: { in: ["pending", "active"] } },
      select: { id: true, status: true, periodEnd: true, payBy: true, createdAt: true },
    }),
    listSlotSubscriptions(ctx, userId),
    findConnectionsOnlyOnSites(ctx, [id]),
    listLicenceIdsOutlivingSite(ctx, id),
  ]);
  const slotSubscription = slotSubscriptions.find((subscription) => subscription.id === subscriptionId);
  return {
    success: true,
    domain,
    agents,
    invitations: invitationCount,
    external_keys: externalKeys,
    connections: connections.map(({ id: connectionId, label }) => ({ id: connectionId, label })),
    mail_account: mailAccount?.fromAddress ?? null,
    licence: licence && {
      id: licence.id,
      status: licence.status as "pending" | "active",
      overdue: licence.status === "pending" && licence.payBy <= new Date(),
      stays_due: dueLicenceIds.includes(licence.id),
      period_end: toIsoMicros(licence.periodEnd),
      created_at: toIsoMicros(licence.createdAt),
    },
    slot: slotSubscription ? { subscription_id: slotSubscription.id, plan: slotSubscription.plan } : null,
  };
}
