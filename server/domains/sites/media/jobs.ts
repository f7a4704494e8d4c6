import { log } from "@/server/core/log";
import { fromNow, HOUR, SECOND } from "@/server/core/time";
import { lockUserIfExists } from "@/server/domains/accounts/users/service/lock";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { removeStoredFile } from "@/server/infrastructure/storage/removal";
import { removeOldSpoolFiles } from "@/server/infrastructure/storage/spool";
import { storage } from "@/server/infrastructure/storage/storage";
import { deleteLockedFile } from "./service/remove";
import { lockFile } from "./statements";

/** Folders are named by one random byte: see `randomFolder` in service/upload.ts. */
const FOLDER_COUNT = 256;

const UNFINISHED_UPLOAD_HOURS = 6;

/** Completes a deletion unless it was undone. The row lock decides which comes first. */
export async function finishMediaRemovalJob({ id }: { id: number }): Promise<void> {
  await inTransaction(async (tx) => {
    const row = await tx.db.mediaFile.findUnique({ where: { id }, select: { userId: true } });
    if (!row || !(await lockUserIfExists(tx, row.userId))) return;
    const [file] = await lockFile(tx, { id });
    // Tolerates one second of clock difference. A later date is a new deletion, which has its own job.
    if (file?.removingAt && file.removingAt <= fromNow(SECOND)) await deleteLockedFile(tx, file);
  });
}

/**
 * Cleans up after crashes: old spool files, lost deletions, stored files without a row. Checks one folder an
 * hour. Rows without a file are only logged, because a backup may restore the file.
 */
export async function sweepMediaJob({ folder }: { folder?: number } = {}): Promise<void> {
  const sweepCutoff = fromNow(-HOUR);
  await removeOldSpoolFiles(sweepCutoff);
  await storage().removeUnfinishedUploads(fromNow(-UNFINISHED_UPLOAD_HOURS * HOUR));
  const { db } = withoutTransaction();
  const overdueFiles = await db.mediaFile.findMany({
    where: { removingAt: { lt: sweepCutoff } },
    select: { id: true },
  });
  for (const { id } of overdueFiles) await finishMediaRemovalJob({ id });
  const folderName = (folder ?? Math.floor(Date.now() / HOUR) % FOLDER_COUNT).toString(16).padStart(2, "0");
  const [filesFolder, previewsFolder] = [`media/files/${folderName}`, `media/previews/${folderName}`];
  const storedFiles = [...(await storage().list(filesFolder)), ...(await storage().list(previewsFolder))];
  const rows = await db.mediaFile.findMany({
    where: { fileKey: { startsWith: `${filesFolder}/` } },
    select: { id: true, fileKey: true, previewKey: true, createdAt: true },
  });
  const referencedKeys = new Set(rows.flatMap(({ fileKey, previewKey }) => [fileKey, previewKey]));
  for (const { key, changedAt } of storedFiles)
    if (changedAt < sweepCutoff && !referencedKeys.has(key)) await removeStoredFile(key);
  const storedKeys = new Set(storedFiles.map(({ key }) => key));
  const rowsWithoutFile = rows.filter(
    ({ fileKey, createdAt }) => createdAt < sweepCutoff && !storedKeys.has(fileKey),
  );
  if (rowsWithoutFile.length > 0)
    log.error({ event: "media.files_missing", folder: folderName, ids: rowsWithoutFile.map(({ id }) => id) });
}
