import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { inaccessibleRecord, invalid, refuse } from "@/server/core/errors";
import { requireExpected } from "@/server/core/stale";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockLibrary } from "@/server/domains/sites/media/service/library";
import { isUniqueViolation } from "@/server/infrastructure/database/failure";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import type { createSnippet, updateSnippet } from "../contract";
import { mayEdit, SNIPPET, snippetOf } from "../dto";
import { SNIPPETS_MAX, shortcutKeyOf } from "../policy";
import { holdFile, lockSnippet } from "../statements";
import { searchTextOf } from "./search-text";

type Values = {
  title: string;
  shortcut: string | null;
  body: string;
  media_file_id: number | null;
};

export async function create(
  ctx: Context<UserActor>,
  { body: input }: Input<typeof createSnippet>,
): Promise<Output<typeof createSnippet>> {
  const values = { ...input, shortcut: input.shortcut ?? null, media_file_id: input.media_file_id ?? null };
  const row = await reportTakenShortcut(
    withTransaction(ctx, async (tx) => {
      const userId = await lockLibrary(tx);
      const data = await columnsOf(tx, userId, values);
      if ((await tx.db.snippet.count({ where: { userId } })) >= SNIPPETS_MAX)
        throw refuse("snippets_full", { params: { max: SNIPPETS_MAX } });
      const created = await tx.db.snippet.create({
        data: { userId, createdById: ctx.actor.id, ...data },
        ...SNIPPET,
      });
      await audit(tx, { action: "snippet.created", object: { type: "Snippet", id: created.id } });
      return created;
    }),
  );
  return {
    success: true,
    message: text(ctx.locale, "responses.snippet_saved"),
    snippet: snippetOf(row, ctx.actor),
  };
}

export async function update(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof updateSnippet>,
): Promise<Output<typeof updateSnippet>> {
  const row = await reportTakenShortcut(
    withTransaction(ctx, async (tx) => {
      const { userId } = await lockOwn(tx, id);
      const before = snippetOf(
        await tx.db.snippet.findUniqueOrThrow({ where: { id }, ...SNIPPET }),
        ctx.actor,
      );
      const values: Values = {
        title: body.title ?? before.title,
        shortcut: body.shortcut === undefined ? before.shortcut : body.shortcut,
        body: body.body ?? before.body,
        media_file_id: body.media_file_id === undefined ? before.media_file_id : body.media_file_id,
      };
      const { title, shortcut, body: bodyText, media_file_id } = before;
      requireExpected(body.expected, {
        current: { title, shortcut, body: bodyText, media_file_id },
        wanted: values,
      });
      const { mediaFileId, ...data } = await columnsOf(tx, userId, values);
      // An untouched file that is being deleted stays attached, because its deletion may be undone.
      const file = mediaFileId !== media_file_id || body.media_file_id !== undefined;
      const changes = { ...data, ...(file && { mediaFileId, fileMissingAt: null }) };
      const after = await tx.db.snippet.update({ where: { id }, data: changes, ...SNIPPET });
      await audit(tx, { action: "snippet.changed", object: { type: "Snippet", id } });
      return after;
    }),
  );
  return {
    success: true,
    message: text(ctx.locale, "responses.snippet_saved"),
    snippet: snippetOf(row, ctx.actor),
  };
}

/** Locks a snippet that the caller may change; `hidden` includes one that is being deleted. */
export async function lockOwn(tx: Context<UserActor>, id: number, { hidden = false } = {}) {
  const library = await lockLibrary(tx);
  const [snippet] = await lockSnippet(tx, { id });
  if (snippet?.userId !== library) throw inaccessibleRecord(snippet, "Snippet", id);
  if (!mayEdit(snippet, tx.actor)) throw refuse("forbidden");
  if (snippet.removingAt && !hidden) throw refuse("record_not_found", { params: { model: "Snippet", id } });
  return snippet;
}

async function columnsOf(tx: DbAccess, userId: number, { title, shortcut, body, media_file_id }: Values) {
  if (media_file_id !== null) {
    const [file] = await holdFile(tx, { id: media_file_id, userId });
    if (!file) throw invalid("media_file_id", "media_unknown_file");
  }
  const shortcutKey = shortcut && shortcutKeyOf(shortcut);
  // A hidden snippet with this shortcut is deleted for good, which frees the shortcut.
  if (shortcutKey)
    await tx.db.snippet.deleteMany({ where: { userId, shortcutKey, removingAt: { not: null } } });
  const searchText = searchTextOf({ title, shortcut, body });
  return { title, shortcut, shortcutKey, body, searchText, mediaFileId: media_file_id };
}

function reportTakenShortcut<T>(work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    throw isUniqueViolation(error, "shortcut_key") ? invalid("shortcut", "shortcut_taken") : error;
  });
}
