import { type AccountRelation, getRegisteredDomains } from "@/server/core/domain";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { countAccountRows, eraseAccountRows, listAccountFiles, listAccountRelations } from "../statements";

/* Counts and erases an account's rows in all domains, by the relations that they declare. */

export async function countPersonalData(
  access: Pick<DbAccess, "sql">,
  userId: number,
): Promise<Array<AccountRelation & { count: number }>> {
  const rows = await countAccountRows(access, { userId });
  const countByColumn = new Map(rows.map(({ table, column, count }) => [`${table}.${column}`, count]));
  return listAccountRelations()
    .map((relation) => ({
      ...relation,
      count: countByColumn.get(`${relation.table}.${relation.column}`) ?? 0,
    }))
    .filter(({ count }) => count > 0);
}

/** Copies sealed credentials into tasks: a provider that is down must not delay a deletion. */
async function createTeardownTasks(
  tx: DbAccess,
  userId: number,
  deletionCertificateId: string | null,
): Promise<number> {
  let taskCount = 0;
  for (const [kind, { seal: listSealedCleanupData }] of getRegisteredDomains().flatMap(
    ({ externalCleanups = {} }) => Object.entries(externalCleanups),
  ))
    for (const credentials of await listSealedCleanupData(tx, userId)) {
      const data = { certificateId: deletionCertificateId, kind, sealed: Uint8Array.from(credentials) };
      const { id } = await tx.db.teardownTask.create({ data, select: { id: true } });
      await addJob(tx, "tear_down", { taskId: id });
      taskCount++;
    }
  return taskCount;
}

/** Deletes rows with rule `delete`; jobs delete files and disconnect services. Returns the task count. */
export async function erasePersonalData(
  tx: DbAccess,
  userId: number,
  { deletionCertificateId = null }: { deletionCertificateId?: string | null } = {},
): Promise<number> {
  const taskCount = await createTeardownTasks(tx, userId, deletionCertificateId);
  for (const { file } of await listAccountFiles(tx, { userId }))
    await addJob(tx, "remove_file", { key: file });
  await eraseAccountRows(tx, { userId });
  return taskCount;
}

export async function invalidateDeletionCode({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.deletionRequest.deleteMany({ where: { userId } });
}

export async function revokeSupportAccessChangedSince(
  { db }: Pick<DbAccess, "db">,
  userId: number,
  since: Date,
): Promise<void> {
  await db.supportAccess.deleteMany({ where: { userId, changedAt: { gte: since } } });
}
