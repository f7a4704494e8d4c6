import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import {
  createError,
  createInaccessibleError,
  createNotFoundError,
  invalidField,
} from "@/server/core/errors";
import { rejectStaleChange } from "@/server/core/stale";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockLibraryOwner } from "@/server/domains/sites/media/service/library";
import { isUniqueViolation } from "@/server/infrastructure/database/error-kinds";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import type { createSnippet, updateSnippet } from "../contract";
import { canEditSnippet, SNIPPET_SELECT, toSnippet } from "../dto";
import { SNIPPETS_MAX, toShortcutKey } from "../policy";
import { lockFileForShare, lockSnippet } from "../statements";
import { buildSnippetSearchText } from "./search-text";

type SnippetValues = {
  title: string;
  shortcut: string | null;
  body: string;
  media_file_id: number | null;
};

export async function addSnippet(
  ctx: Context<UserActor>,
  { body: input }: Input<typeof createSnippet>,
): Promise<Output<typeof createSnippet>> {
  const values = { ...input, shortcut: input.shortcut ?? null, media_file_id: input.media_file_id ?? null };
  const row = await withTakenShortcutError(
    withTransaction(ctx, async (tx) => {
      const { id: userId } = await lockLibraryOwner(tx);
      const data = await prepareSnippetColumns(tx, userId, values);
      if ((await tx.db.snippet.count({ where: { userId } })) >= SNIPPETS_MAX)
        throw createError("snippets_full", { params: { max: SNIPPETS_MAX } });
      const createdRow = await tx.db.snippet.create({
        data: { userId, createdById: ctx.actor.id, ...data },
        ...SNIPPET_SELECT,
      });
      await audit(tx, { action: "snippet.created", object: { type: "Snippet", id: createdRow.id } });
      return createdRow;
    }),
  );
  return {
    success: true,
    message: formatText(ctx.locale, "responses.snippet_saved"),
    snippet: toSnippet(row, ctx.actor),
  };
}

export async function changeSnippet(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof updateSnippet>,
): Promise<Output<typeof updateSnippet>> {
  const row = await withTakenShortcutError(
    withTransaction(ctx, async (tx) => {
      const { userId } = await lockEditableSnippet(tx, id);
      const before = toSnippet(
        await tx.db.snippet.findUniqueOrThrow({ where: { id }, ...SNIPPET_SELECT }),
        ctx.actor,
      );
      const values: SnippetValues = {
        title: body.title ?? before.title,
        shortcut: body.shortcut === undefined ? before.shortcut : body.shortcut,
        body: body.body ?? before.body,
        media_file_id: body.media_file_id === undefined ? before.media_file_id : body.media_file_id,
      };
      const { title, shortcut, body: bodyText, media_file_id } = before;
      rejectStaleChange(body.expected, {
        current: { title, shortcut, body: bodyText, media_file_id },
        requested: values,
      });
      const { mediaFileId, ...data } = await prepareSnippetColumns(tx, userId, values);
      // Keep an unchanged file that is being deleted: its deletion may be undone.
      const changesFile = mediaFileId !== media_file_id || body.media_file_id !== undefined;
      const changes = { ...data, ...(changesFile && { mediaFileId, fileMissingAt: null }) };
      const after = await tx.db.snippet.update({ where: { id }, data: changes, ...SNIPPET_SELECT });
      await audit(tx, { action: "snippet.changed", object: { type: "Snippet", id } });
      return after;
    }),
  );
  return {
    success: true,
    message: formatText(ctx.locale, "responses.snippet_saved"),
    snippet: toSnippet(row, ctx.actor),
  };
}

/** Locks a snippet that the caller may change. With `includesRemoved`, also one whose removal can be undone. */
export async function lockEditableSnippet(
  tx: Context<UserActor>,
  id: number,
  { includesRemoved = false } = {},
) {
  const { id: libraryOwnerId } = await lockLibraryOwner(tx);
  const [snippet] = await lockSnippet(tx, { id });
  if (snippet?.userId !== libraryOwnerId) throw createInaccessibleError(snippet, "Snippet", id);
  if (!canEditSnippet(snippet, tx.actor)) throw createError("forbidden");
  if (snippet.removingAt && !includesRemoved) throw createNotFoundError("Snippet", id);
  return snippet;
}

/** Locks the file, frees the shortcut and returns the columns to write. Throws 422 for an unknown file. */
async function prepareSnippetColumns(
  tx: DbAccess,
  userId: number,
  { title, shortcut, body, media_file_id }: SnippetValues,
) {
  if (media_file_id !== null) {
    const [file] = await lockFileForShare(tx, { id: media_file_id, userId });
    if (!file) throw invalidField("media_file_id", "media_unknown_file");
  }
  const shortcutKey = shortcut && toShortcutKey(shortcut);
  // A hidden snippet with this shortcut can no longer be restored.
  if (shortcutKey)
    await tx.db.snippet.deleteMany({ where: { userId, shortcutKey, removingAt: { not: null } } });
  const searchText = buildSnippetSearchText({ title, shortcut, body });
  return { title, shortcut, shortcutKey, body, searchText, mediaFileId: media_file_id };
}

function withTakenShortcutError<T>(work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    throw isUniqueViolation(error, "shortcut_key") ? invalidField("shortcut", "shortcut_taken") : error;
  });
}
