import type { AccountRelation } from "@/server/core/domain";
import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { accountRelations, countRows, eraseRows, listFiles } from "./statements";

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
 * Deletes every row of an account that a domain declares under the rule `delete`: sign-in methods, pending links and
 * codes, messages, exports and other personal data. Jobs delete the files once the deletion is committed.
 */
export async function erasePersonalData(tx: Work, userId: number): Promise<void> {
  for (const { file } of await listFiles(tx, { userId })) await addJob(tx, "remove_file", { key: file });
  await eraseRows(tx, { userId });
}
