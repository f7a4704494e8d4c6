import { outside } from "@/server/infrastructure/database/transaction";

/** Deletes ceremonies that have expired. */
export async function forgetChallengesJob(): Promise<void> {
  await outside().db.passkeyChallenge.deleteMany({ where: { expiresAt: { lt: new Date() } } });
}
