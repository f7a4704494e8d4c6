import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createInaccessibleError, createNotFoundError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { fromNow, SECOND } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import type { deleteMedia, restoreMedia } from "../contract";
import { canDeleteFile, MEDIA_SELECT, toMediaFile } from "../dto";
import { DELETION_UNDO_SECONDS } from "../policy";
import { lockFile } from "../statements";
import { findLibraryOwner, lockLibraryOwner } from "./library";

const notFoundError = (id: number) => createNotFoundError("MediaFile", id);

async function lockDeletableFile(tx: Context<UserActor>, id: number) {
  const { id: libraryOwnerId } = await lockLibraryOwner(tx);
  const [file] = await lockFile(tx, { id });
  if (file?.userId !== libraryOwnerId) throw createInaccessibleError(file, "MediaFile", id);
  if (!canDeleteFile(file, tx.actor)) throw createError("forbidden");
  return file;
}

export async function deleteFile(
  ctx: Context<UserActor>,
  { params: { id }, query: { undo } }: Input<typeof deleteMedia>,
): Promise<Output<typeof deleteMedia>> {
  const detachedCount = await withTransaction(ctx, async (tx) => {
    const file = await lockDeletableFile(tx, id);
    if (file.removingAt) throw notFoundError(id);
    await audit(tx, { action: "media.deleted", object: { type: "MediaFile", id } });
    if (!undo) return deleteLockedFile(tx, file);
    const removingAt = fromNow(DELETION_UNDO_SECONDS * SECOND);
    await tx.db.mediaFile.update({ where: { id }, data: { removingAt }, select: { id: true } });
    await addJob(tx, "finish_media_removal", { id }, { runAt: removingAt });
    return tx.db.snippet.count({ where: { mediaFileId: id, removingAt: null } });
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.media_deleted"),
    detached_snippets: detachedCount,
  };
}

export async function restoreFile(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof restoreMedia>,
): Promise<Output<typeof restoreMedia>> {
  const row = await withTransaction(ctx, async (tx) => {
    const file = await lockDeletableFile(tx, id);
    if (file.removingAt) await audit(tx, { action: "media.restored", object: { type: "MediaFile", id } });
    return tx.db.mediaFile.update({ where: { id }, data: { removingAt: null }, ...MEDIA_SELECT });
  });
  const message = formatText(ctx.locale, "responses.media_restored");
  return { success: true, message, media: toMediaFile(row, ctx.actor, await findLibraryOwner(ctx)) };
}

type LockedFile = Awaited<ReturnType<typeof lockFile>>[number];

/** Deletes a locked file and detaches its snippets. Returns the number of visible snippets that used it. */
export async function deleteLockedFile(tx: DbAccess, file: LockedFile): Promise<number> {
  const { id, userId, size, fileKey, previewKey } = file;
  const visibleSnippetCount = await tx.db.snippet.count({ where: { mediaFileId: id, removingAt: null } });
  await tx.db.snippet.updateMany({
    where: { mediaFileId: id },
    data: { mediaFileId: null, fileMissingAt: new Date() },
  });
  await tx.db.mediaFile.delete({ where: { id }, select: { id: true } });
  await tx.db.mediaUsage.updateMany({
    where: { userId },
    data: { bytes: { decrement: size }, files: { decrement: 1 } },
  });
  for (const key of [fileKey, previewKey]) if (key) await addJob(tx, "remove_file", { key });
  return visibleSnippetCount;
}
