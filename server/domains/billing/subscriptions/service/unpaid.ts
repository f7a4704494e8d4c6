import type { Work } from "@/server/infrastructure/database/transaction";

/** Removes an account's orders, as if nobody had placed them. Call it for accounts without a payment only. */
export async function removeOrders({ db }: Pick<Work, "db">, userId: number): Promise<void> {
  await db.subscription.deleteMany({ where: { userId, payments: { none: {} } } });
}
