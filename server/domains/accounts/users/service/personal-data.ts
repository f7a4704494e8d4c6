import { type AccountRelation, registeredDomains } from "@/server/core/domain";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { accountRelations, countRows, eraseRows, listFiles } from "../statements";

/* Writes tables of all areas, by the declared relations, to erase or to claim an account. */

export async function countPersonalData(
  work: Pick<DbAccess, "sql">,
  userId: number,
): Promise<Array<AccountRelation & { count: number }>> {
  const rows = await countRows(work, { userId });
  const counts = new Map(rows.map(({ table, column, count }) => [`${table}.${column}`, count]));
  return accountRelations()
    .map((relation) => ({ ...relation, count: counts.get(`${relation.table}.${relation.column}`) ?? 0 }))
    .filter(({ count }) => count > 0);
}

/**
 * Copies sealed credentials of external services into teardown tasks: a provider that is down must not delay
 * a deletion. Returns the number of tasks.
 */
async function createTeardownTasks(
  tx: DbAccess,
  userId: number,
  certificateId: string | null,
): Promise<number> {
  let tasks = 0;
  for (const [kind, { seal }] of registeredDomains().flatMap(({ externalCleanups = {} }) =>
    Object.entries(externalCleanups),
  ))
    for (const sealed of await seal(tx, userId)) {
      const data = { certificateId, kind, sealed: Uint8Array.from(sealed) };
      const { id } = await tx.db.teardownTask.create({ data, select: { id: true } });
      await addJob(tx, "tear_down", { taskId: id });
      tasks++;
    }
  return tasks;
}

/**
 * Deletes all rows declared under the rule `delete`. After the commit, jobs delete the files and disconnect
 * external services. Returns the number of those services, which the certificate counts.
 */
export async function erasePersonalData(
  tx: DbAccess,
  userId: number,
  { certificateId = null }: { certificateId?: string | null } = {},
): Promise<number> {
  const outside = await createTeardownTasks(tx, userId, certificateId);
  for (const { file } of await listFiles(tx, { userId })) await addJob(tx, "remove_file", { key: file });
  await eraseRows(tx, { userId });
  return outside;
}

export async function invalidateDeletionCode({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.deletionRequest.deleteMany({ where: { userId } });
}

/** Revokes support access that was given since a time. */
export async function revokeSupportAccess(
  { db }: Pick<DbAccess, "db">,
  userId: number,
  since: Date,
): Promise<void> {
  await db.supportAccess.deleteMany({ where: { userId, changedAt: { gte: since } } });
}
