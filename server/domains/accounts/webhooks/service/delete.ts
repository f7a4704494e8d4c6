import type { DbAccess } from "@/server/infrastructure/database/transaction";

/** Deletes webhooks created or changed since a time. Changes cannot be undone: old values are not stored. */
export async function deleteChangedWebhooks(
  { db }: Pick<DbAccess, "db">,
  userId: number,
  since: Date,
): Promise<void> {
  const changedSince = { gte: since };
  await db.webhookEndpoint.deleteMany({
    where: { userId, OR: [{ createdAt: changedSince }, { changedAt: changedSince }] },
  });
}

/** Deletes all deliveries of an account after a change of role: they contain data for the former role. */
export async function deleteWebhookDeliveries({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.webhookDelivery.deleteMany({ where: { endpoint: { userId } } });
}
