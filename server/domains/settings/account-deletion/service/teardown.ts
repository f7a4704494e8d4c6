import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";

/** Things outside that end with an account. Each has its undoing in `jobs.ts`. */
export type TeardownKind = "apple_grant";

/**
 * Moves what is needed to undo things outside into tasks of their own, still sealed: the account is gone before they
 * are done, and a party that is away must not stop anybody from leaving. Returns how many there are.
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
