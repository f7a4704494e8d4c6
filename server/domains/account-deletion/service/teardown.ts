import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";

/** Things outside that end with an account. Each has its undoing in `jobs.ts`. */
export type TeardownKind = "apple_grant";

/**
 * Moves what is needed to undo things outside into tasks of their own, still sealed: the account is gone before they
 * are done, and a party that is away must not stop anybody from leaving. Returns how many there are.
 */
export async function handOver(
  { sql }: Pick<Work, "sql">,
  { userId, certificateId }: { userId: number; certificateId: string },
): Promise<number> {
  const tasks = await sql<{ id: number }>`
    insert into teardown_tasks (certificate_id, kind, sealed)
    select ${certificateId}, 'apple_grant', grant_sealed from external_identities
     where user_id = ${userId} and provider = 'apple' and grant_sealed is not null
    returning id`;
  for (const { id } of tasks) await addJob({ sql }, "tear_down", { taskId: id });
  return tasks.length;
}
