import { sealConnections } from "@/server/domains/sites/connections/service/teardown";
import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";

/** External things that end with an account. Each has its counterpart in `jobs.ts`. */
export type TeardownKind = "apple_grant" | "connection";

/**
 * Moves what is needed to undo external things into tasks of their own, still sealed: the account is gone before they
 * are done, and a provider that is down must not keep anybody from leaving. Returns the number of tasks.
 */
export async function handOver(
  tx: Work,
  { userId, certificateId }: { userId: number; certificateId: string },
): Promise<number> {
  const grants = await tx.db.externalIdentity.findMany({
    where: { userId, provider: "apple", grantSealed: { not: null } },
    select: { grantSealed: true },
  });
  const connections = await sealConnections(tx, userId);
  const things = [
    ...grants.map(({ grantSealed: sealed }) => ({ kind: "apple_grant" as const, sealed })),
    ...connections.map((sealed) => ({ kind: "connection" as const, sealed })),
  ] satisfies Array<{ kind: TeardownKind; sealed: unknown }>;
  for (const { kind, sealed } of things) {
    const { id } = await tx.db.teardownTask.create({
      data: { certificateId, kind, sealed },
      select: { id: true },
    });
    await addJob(tx, "tear_down", { taskId: id });
  }
  return things.length;
}
