import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { claimReminders, lockTwoFactorRequirement } from "../statements";

/** Call it last: it queues the update of deadlines and waits for accounts that change under the old rule. */
export async function queueTwoFactorDeadlines(tx: Pick<DbAccess, "sql">): Promise<void> {
  await addJob(tx, "apply_factor_duties", {}, { queue: "factor_duties" });
  await lockTwoFactorRequirement(tx);
}

export function claimTwoFactorReminders(
  tx: Pick<DbAccess, "sql">,
  options: { before: Date; take: number },
): Promise<Array<{ id: number; enrolBy: Date }>> {
  return claimReminders(tx, options);
}
