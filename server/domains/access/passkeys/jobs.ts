import { outside } from "@/server/infrastructure/database/transaction";

export async function forgetChallengesJob(): Promise<void> {
  await outside().db.passkeyChallenge.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}
