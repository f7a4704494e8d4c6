import { withoutTransaction } from "@/server/infrastructure/database/transaction";

export async function deleteExpiredChallengesJob(): Promise<void> {
  await withoutTransaction().db.passkeyChallenge.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}
