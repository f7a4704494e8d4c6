import type { Work } from "@/server/infrastructure/database/transaction";

/** Removes the webhooks that an account has had added since a moment. */
export async function forgetAdded({ db }: Pick<Work, "db">, userId: number, since: Date): Promise<void> {
  await db.webhookEndpoint.deleteMany({ where: { userId, createdAt: { gte: since } } });
}

/** Removes what an account's webhooks have got and would get: it was for whoever had its former role. */
export async function forgetDeliveries({ db }: Pick<Work, "db">, userId: number): Promise<void> {
  await db.webhookDelivery.deleteMany({ where: { endpoint: { userId } } });
}
