import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { lockDuties, takeReminders } from "../statements";

/**
 * Call it last in a transaction that changes the two-factor requirement: queues a job that updates the
 * deadlines, and waits for accounts that change under the old requirement.
 */
export async function dutiesChanged(tx: Pick<Work, "sql">): Promise<void> {
  await addJob(tx, "apply_factor_duties", {}, { queue: "factor_duties" });
  await lockDuties(tx);
}

export function takeDutyReminders(
  tx: Pick<Work, "sql">,
  options: { before: Date; take: number },
): Promise<Array<{ id: number; enrolBy: Date }>> {
  return takeReminders(tx, options);
}
