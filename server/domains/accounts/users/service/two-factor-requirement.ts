import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { claimReminders, lockTwoFactorRequirement } from "../statements";

/**
 * Call it last in a transaction that changes the two-factor requirement: queues a job that updates the
 * deadlines, and waits for accounts that change under the old requirement.
 */
export async function applyTwoFactorRequirement(tx: Pick<DbAccess, "sql">): Promise<void> {
  await addJob(tx, "apply_factor_duties", {}, { queue: "factor_duties" });
  await lockTwoFactorRequirement(tx);
}

export function claimTwoFactorReminders(
  tx: Pick<DbAccess, "sql">,
  options: { before: Date; take: number },
): Promise<Array<{ id: number; enrolBy: Date }>> {
  return claimReminders(tx, options);
}
