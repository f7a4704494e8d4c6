import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { lockDuties, takeReminders } from "../statements";

/**
 * Follows a change of who needs a second factor, as the last of its transaction: waits for accounts that are changed
 * under the old duty, and has a job tell all accounts by when they need one.
 */
export async function dutiesChanged(tx: Pick<Work, "sql">): Promise<void> {
  await addJob(tx, "apply_factor_duties", {}, { queue: "factor_duties" });
  await lockDuties(tx);
}

/** Takes accounts whose days of grace end before a moment, each once for each such end. */
export function takeDutyReminders(
  tx: Pick<Work, "sql">,
  given: { before: Date; take: number },
): Promise<Array<{ id: number; enrolBy: Date }>> {
  return takeReminders(tx, given);
}
