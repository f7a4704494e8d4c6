import type { Work } from "@/server/infrastructure/database/transaction";

/**
 * Removes the webhooks that an account has had added since a moment, and older ones that have another address or secret since:
 * where they led before is not kept.
 */
export async function forgetChanged({ db }: Pick<Work, "db">, userId: number, since: Date): Promise<void> {
  const late = { gte: since };
  await db.webhookEndpoint.deleteMany({ where: { userId, OR: [{ createdAt: late }, { changedAt: late }] } });
}

/** Removes what an account's webhooks have got and would get: it was for whoever had its former role. */
export async function forgetDeliveries({ db }: Pick<Work, "db">, userId: number): Promise<void> {
  await db.webhookDelivery.deleteMany({ where: { endpoint: { userId } } });
}
