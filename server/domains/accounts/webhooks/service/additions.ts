import type { Context } from "@/server/core/context";
import type { AdditionSource } from "@/server/core/domain";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { cancelWaitingDeliveries } from "../statements";

/** Finds webhooks that are new or have a new URL or secret. Revoking switches them off. */
export const webhookAdditions: AdditionSource = {
  async find({ db }, userId, since) {
    const changedSince = { gte: since };
    const rows = await db.webhookEndpoint.findMany({
      where: { userId, disabledReason: null, OR: [{ createdAt: changedSince }, { changedAt: changedSince }] },
      orderBy: { id: "desc" },
      select: { id: true, url: true, createdAt: true, changedAt: true },
    });
    return rows.map(({ id, url, createdAt, changedAt }) => ({
      id,
      name: new URL(url).host,
      at: changedAt ?? createdAt,
    }));
  },
  revoke: (tx, userId, ids) => disableWebhooks(tx, userId, { id: { in: [...ids] } }),
};

/** Disables webhooks, for example after a change of role, which would send them events of more accounts. */
export async function disableWebhooks(
  tx: Context,
  userId: number,
  condition: Prisma.WebhookEndpointWhereInput = {},
): Promise<void> {
  const rows = await tx.db.webhookEndpoint.updateManyAndReturn({
    where: { ...condition, userId, disabledReason: null },
    data: { disabledReason: "person" },
    select: { id: true, url: true },
  });
  for (const { id, url } of rows) {
    await cancelWaitingDeliveries(tx, { endpointId: id });
    await audit(tx, {
      action: "webhook.changed",
      object: { type: "WebhookEndpoint", id },
      actorId: userId,
      details: { host: new URL(url).host, is_active: false },
    });
  }
}
