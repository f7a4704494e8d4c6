import type { Context } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";

export async function suspendUnpaidSite(
  ctx: Context,
  { siteId, licenceId }: { siteId: number; licenceId: number },
): Promise<void> {
  const { domain, userId: ownerId } = await ctx.db.site.update({
    where: { id: siteId },
    data: { isActive: false, suspendedReason: "licence_unpaid" },
    select: { domain: true, userId: true },
  });
  await audit(ctx, {
    action: "site.suspended",
    object: { type: "Site", id: siteId },
    details: { reason: "licence_unpaid", licence: licenceId },
  });
  await emitWebhookEvent(ctx, {
    type: "site.suspended",
    ownerId,
    data: { id: siteId, domain, user_id: ownerId, suspended_reason: "licence_unpaid" },
  });
}
