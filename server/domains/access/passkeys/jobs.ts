import { outside } from "@/server/infrastructure/database/transaction";

/** Forgets ceremonies that have ended. */
export async function forgetChallengesJob(): Promise<void> {
  await outside().db.passkeyChallenge.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}
