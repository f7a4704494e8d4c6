import { createSystemContext } from "@/server/core/context";
import { log } from "@/server/core/log";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import type { ListedFile } from "@/server/infrastructure/storage/driver";
import { tryLockForRemoval } from "@/server/infrastructure/storage/removal";
import { storage } from "@/server/infrastructure/storage/storage";
import { findMissingFiles, findUnreferencedFiles } from "./statements";

/** A younger file may not have its row yet. */
const MIN_FILE_AGE_MS = DAY;
const BATCH_SIZE = 1000;
/** Maximum differences checked again (files change during the run); the rest is counted unchecked. */
const RECHECK_MAX = 1000;
const REPORTED_KEYS_MAX = 5;

/** Repairs nothing: sweep jobs delete unused files, and a backup may restore missing ones. */
export async function compareFilesJob(): Promise<void> {
  // During a backup, deleted rows keep their files.
  if (!(await inTransaction(tryLockForRemoval)))
    return addJob(withoutTransaction(), "compare_files", {}, { runAt: fromNow(HOUR) });
  const runStartedAt = new Date();
  const { listedFile } = withoutTransaction().db;
  await listedFile.deleteMany({ where: { run: { lt: fromNow(-DAY) } } });
  try {
    const fileCount = await recordStoredFiles(runStartedAt);
    const unreferencedFiles = await findConfirmedDifferences(
      () =>
        findUnreferencedFiles(withoutTransaction(), {
          run: runStartedAt,
          before: fromNow(-MIN_FILE_AGE_MS),
          limit: RECHECK_MAX,
        }),
      (isStored) => isStored,
    );
    const missingFiles = await findConfirmedDifferences(
      () => findMissingFiles(withoutTransaction(), { run: runStartedAt, limit: RECHECK_MAX }),
      (isStored) => !isStored,
    );
    const counts = { files: fileCount, unnamed: unreferencedFiles.count, missing: missingFiles.count };
    // The name of an existing file grants access to it: log it, but never store it in the audit log.
    if (unreferencedFiles.count + missingFiles.count > 0)
      log.error({
        event: "files.differ",
        ...counts,
        unnamedKeys: unreferencedFiles.keys,
        missingKeys: missingFiles.keys,
      });
    const details = { ...counts, names: missingFiles.keys.join(", ") };
    await inTransaction((tx) => audit(createSystemContext(tx), { action: "files.compared", details }));
  } finally {
    await listedFile.deleteMany({ where: { run: runStartedAt } });
  }
}

/** Writes the list of stored files to the database, in batches to limit memory. Returns their number. */
async function recordStoredFiles(runStartedAt: Date): Promise<number> {
  const { listedFile } = withoutTransaction().db;
  let fileCount = 0;
  let batch: ListedFile[] = [];
  const flushBatch = async () => {
    fileCount += batch.length;
    await listedFile.createMany({
      data: batch.map((each) => ({ run: runStartedAt, ...each })),
      skipDuplicates: true,
    });
    batch = [];
  };
  for await (const file of storage().listAll()) if (batch.push(file) === BATCH_SIZE) await flushBatch();
  await flushBatch();
  return fileCount;
}

async function findConfirmedDifferences(
  findDifferences: () => Promise<Array<{ key: string; total: number }>>,
  isDifference: (isStored: boolean) => boolean,
): Promise<{ count: number; keys: string[] }> {
  const rows = await findDifferences();
  const candidates: string[] = [];
  for (const { key } of rows)
    if (isDifference((await storage().read(key)) !== undefined)) candidates.push(key);
  if (candidates.length === 0) return { count: 0, keys: [] };
  const remainingKeys = new Set((await findDifferences()).map(({ key }) => key));
  const keys = candidates.filter((key) => remainingKeys.has(key));
  return { count: (rows[0]?.total ?? 0) - rows.length + keys.length, keys: keys.slice(0, REPORTED_KEYS_MAX) };
}
