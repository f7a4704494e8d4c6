import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";

/** External things that end with an account. Each has its counterpart in `jobs.ts`. */
export type TeardownKind = "apple_grant";

/**
 * Moves what is needed to undo external things into tasks of their own, still sealed: the account is gone before they
 * are done, and a provider that is down must not keep anybody from leaving. Returns the number of tasks.
 */
export async function handOver(
  tx: Work,
  { userId, certificateId }: { userId: number; certificateId: string },
): Promise<number> {
  const kind: TeardownKind = "apple_grant";
  const grants = await tx.db.externalIdentity.findMany({
    where: { userId, provider: "apple", grantSealed: { not: null } },
    select: { grantSealed: true },
  });
  for (const { grantSealed: sealed } of grants) {
    const { id } = await tx.db.teardownTask.create({
      data: { certificateId, kind, sealed },
      select: { id: true },
    });
    await addJob(tx, "tear_down", { taskId: id });
  }
  return grants.length;
}
