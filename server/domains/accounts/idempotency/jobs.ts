import { withoutTransaction } from "@/server/infrastructure/database/transaction";

export async function deleteIdempotencyKeysJob(): Promise<void> {
  await withoutTransaction().db.idempotencyKey.deleteMany({ where: { expiresAt: { lte: new Date() } } });
}
