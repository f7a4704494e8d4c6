import { outside } from "@/server/infrastructure/database/transaction";

export async function forgetIdempotencyKeysJob(): Promise<void> {
  await outside().db.idempotencyKey.deleteMany({ where: { expiresAt: { lte: new Date() } } });
}
