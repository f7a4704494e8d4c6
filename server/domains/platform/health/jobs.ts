import { systemContext } from "@/server/core/context";
import { log } from "@/server/core/log";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import type { ListedFile } from "@/server/infrastructure/storage/driver";
import { mayRemove } from "@/server/infrastructure/storage/removal";
import { storage } from "@/server/infrastructure/storage/storage";
import { findMissing, findUnnamed } from "./statements";

/** A younger file may be on its way to its row. */
const UNDER_WAY = DAY;
/** Files that are written down at once. */
const BATCH = 1000;
/** Differences that are looked at again, because files came and went meanwhile. More are counted as they were found. */
const DOUBTED = 1000;
/** Names that are kept; the figures say how many there are. */
const NAMES = 5;

/**
 * Compares the stored files with the rows that name them. Nothing is repaired: what no row names is for the sweeps of
 * its domain, and what is gone may come back with a backup. The health page shows the last result.
 */
export async function compareFilesJob(): Promise<void> {
  // While a backup is made, files stay that no row names any more.
  if (!(await inTransaction(mayRemove)))
    return addJob(outside(), "compare_files", {}, { runAt: fromNow(HOUR) });
  const run = new Date();
  const { listedFile } = outside().db;
  await listedFile.deleteMany({ where: { run: { lt: fromNow(-DAY) } } });
  try {
    const files = await writeDown(run);
    const unnamed = await confirmed(
      () => findUnnamed(outside(), { run, before: fromNow(-UNDER_WAY), limit: DOUBTED }),
      (isStored) => isStored,
    );
    const missing = await confirmed(
      () => findMissing(outside(), { run, limit: DOUBTED }),
      (isStored) => !isStored,
    );
    const found = { files, unnamed: unnamed.count, missing: missing.count };
    // A file's name is its address: of those that are there it is for whoever keeps the server alone.
    if (unnamed.count + missing.count > 0)
      log.error({ event: "files.differ", ...found, unnamedKeys: unnamed.keys, missingKeys: missing.keys });
    const details = { ...found, names: missing.keys.join(", ") };
    await inTransaction((tx) => audit(systemContext(tx), { action: "files.compared", details }));
  } finally {
    await listedFile.deleteMany({ where: { run } });
  }
}

/** Lists all stored files in the database, so that memory never holds more than a batch; returns how many. */
async function writeDown(run: Date): Promise<number> {
  const { listedFile } = outside().db;
  let files = 0;
  let batch: ListedFile[] = [];
  const flush = async () => {
    files += batch.length;
    await listedFile.createMany({ data: batch.map((each) => ({ run, ...each })), skipDuplicates: true });
    batch = [];
  };
  for await (const file of storage().all()) if (batch.push(file) === BATCH) await flush();
  await flush();
  return files;
}

/** What still differs once the storage was asked for each file, and the rows again. */
async function confirmed(
  find: () => Promise<Array<{ key: string; total: number }>>,
  differs: (isStored: boolean) => boolean,
): Promise<{ count: number; keys: string[] }> {
  const found = await find();
  const doubted: string[] = [];
  for (const { key } of found) if (differs((await storage().read(key)) !== undefined)) doubted.push(key);
  if (doubted.length === 0) return { count: 0, keys: [] };
  const again = new Set((await find()).map(({ key }) => key));
  const keys = doubted.filter((key) => again.has(key));
  return { count: (found[0]?.total ?? 0) - found.length + keys.length, keys: keys.slice(0, NAMES) };
}
