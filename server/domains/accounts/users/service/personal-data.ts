import { type AccountRelation, declared } from "@/server/core/domain";
import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { accountRelations, countRows, eraseRows, listFiles } from "../statements";

/*
 * The only code that writes tables of every wing, by the relations that domains declare. The end of an account and
 * the take-over of an unverified one both use it.
 */

/** Counts an account's rows of each declared relation; relations without rows are left out. */
export async function countPersonalData(
  work: Pick<Work, "sql">,
  userId: number,
): Promise<Array<AccountRelation & { count: number }>> {
  const rows = await countRows(work, { userId });
  const counts = new Map(rows.map(({ table, column, count }) => [`${table}.${column}`, count]));
  return accountRelations()
    .map((relation) => ({ ...relation, count: counts.get(`${relation.table}.${relation.column}`) ?? 0 }))
    .filter(({ count }) => count > 0);
}

/**
 * Moves what is needed to undo external things into tasks of their own, still sealed: the account is gone before they
 * are done, and a party that is down must not keep anybody from leaving. Returns the number of tasks.
 */
async function handOver(tx: Work, userId: number, certificateId: string | null): Promise<number> {
  let tasks = 0;
  for (const [kind, { seal }] of declared().flatMap(({ outside = {} }) => Object.entries(outside)))
    for (const sealed of await seal(tx, userId)) {
      const data = { certificateId, kind, sealed: Uint8Array.from(sealed) };
      const { id } = await tx.db.teardownTask.create({ data, select: { id: true } });
      await addJob(tx, "tear_down", { taskId: id });
      tasks++;
    }
  return tasks;
}

/**
 * Deletes every row of an account that a domain declares under the rule `delete`: sign-in methods, pending links and
 * codes, messages, exports and other personal data. Jobs delete the files once the deletion is committed, and undo what
 * is outside; returns the number of those, which are counted on the certificate, if there is one.
 */
export async function erasePersonalData(
  tx: Work,
  userId: number,
  { certificateId = null }: { certificateId?: string | null } = {},
): Promise<number> {
  const outside = await handOver(tx, userId, certificateId);
  for (const { file } of await listFiles(tx, { userId })) await addJob(tx, "remove_file", { key: file });
  await eraseRows(tx, { userId });
  return outside;
}

/** Voids the code that was mailed to confirm the account's deletion. */
export async function voidDeletion({ db }: Pick<Work, "db">, userId: number): Promise<void> {
  await db.deletionRequest.deleteMany({ where: { userId } });
}

/** Ends the permission to look at the account's panel, if it was given since a moment. */
export async function endPermission({ db }: Pick<Work, "db">, userId: number, since: Date): Promise<void> {
  await db.supportAccess.deleteMany({ where: { userId, changedAt: { gte: since } } });
}
