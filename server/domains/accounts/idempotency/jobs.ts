import { outside } from "@/server/infrastructure/database/transaction";

/** Forgets the keys whose day is over. */
export async function forgetIdempotencyKeysJob(): Promise<void> {
  await outside().db.idempotencyKey.deleteMany({ where: { expiresAt: { lte: new Date() } } });
}
