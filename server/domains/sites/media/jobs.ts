import { log } from "@/server/core/log";
import { fromNow, HOUR, SECOND } from "@/server/core/time";
import { lockUserIfAny } from "@/server/domains/accounts/users/service/lock";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { removeStored } from "@/server/infrastructure/storage/removal";
import { sweepSpool } from "@/server/infrastructure/storage/spool";
import { storage } from "@/server/infrastructure/storage/storage";
import { removeFile } from "./service/remove";
import { lockFile } from "./statements";

const FOLDERS = 256;

/** Longest time an upload to a bucket may take: a large archive, retried like its export. */
const UNFINISHED_HOURS = 6;

/** Completes a deletion unless it was undone; the row lock decides between the two. */
export async function finishMediaRemovalJob({ id }: { id: number }): Promise<void> {
  await inTransaction(async (tx) => {
    const row = await tx.db.mediaFile.findUnique({ where: { id }, select: { userId: true } });
    if (!row || !(await lockUserIfAny(tx, row.userId))) return;
    const [file] = await lockFile(tx, { id });
    // One second of tolerance for clock differences. A later deletion has its own job.
    if (file?.removingAt && file.removingAt <= fromNow(SECOND)) await removeFile(tx, file);
  });
}

/**
 * Cleans up after crashes: old spool files, stored files without a row in this hour's folder, and deletions
 * without a job. Only logs rows without a file: a backup may bring the file back.
 */
export async function sweepMediaJob({ folder }: { folder?: number } = {}): Promise<void> {
  const old = fromNow(-HOUR);
  await sweepSpool(old);
  await storage().sweepUnfinished(fromNow(-UNFINISHED_HOURS * HOUR));
  const { db } = withoutTransaction();
  const overdue = await db.mediaFile.findMany({ where: { removingAt: { lt: old } }, select: { id: true } });
  for (const { id } of overdue) await finishMediaRemovalJob({ id });
  const name = (folder ?? Math.floor(Date.now() / HOUR) % FOLDERS).toString(16).padStart(2, "0");
  const [files, previews] = [`media/files/${name}`, `media/previews/${name}`];
  const stored = [...(await storage().list(files)), ...(await storage().list(previews))];
  const rows = await db.mediaFile.findMany({
    where: { fileKey: { startsWith: `${files}/` } },
    select: { id: true, fileKey: true, previewKey: true, createdAt: true },
  });
  const referencedKeys = new Set(rows.flatMap(({ fileKey, previewKey }) => [fileKey, previewKey]));
  for (const { key, changedAt } of stored)
    if (changedAt < old && !referencedKeys.has(key)) await removeStored(key);
  const storedKeys = new Set(stored.map(({ key }) => key));
  const missing = rows.filter(({ fileKey, createdAt }) => createdAt < old && !storedKeys.has(fileKey));
  if (missing.length > 0)
    log.error({ event: "media.files_missing", folder: name, ids: missing.map(({ id }) => id) });
}
