import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { inaccessibleRecord, refuse } from "@/server/core/errors";
import { escapeLike, searchWords } from "@/server/core/fold";
import { orderOf } from "@/server/core/order";
import { libraryOf } from "@/server/domains/sites/media/service/library";
import { libraryPageOf, metaOf } from "@/server/domains/sites/media/service/list";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { getSnippet, listSnippets } from "../contract";
import { SNIPPET, snippetOf } from "../dto";
import { shortcutKeyOf } from "../policy";

export async function list(
  ctx: Context<UserActor>,
  { query }: Input<typeof listSnippets>,
): Promise<Output<typeof listSnippets>> {
  const where = {
    userId: await libraryOf(ctx),
    removingAt: null,
    ...(query.shortcut && { shortcutKey: shortcutKeyOf(query.shortcut) }),
    AND: searchWords(query.q).map((word) => ({ searchText: { contains: escapeLike(word) } })),
    ...(query.file === "missing" && {
      OR: [{ fileMissingAt: { not: null } }, { mediaFile: { removingAt: { not: null } } }],
    }),
  } satisfies Prisma.SnippetWhereInput;
  const { by, direction } = orderOf(query.sort ?? "-created_at");
  const orderBy = by === "title" ? [{ title: direction }, { id: direction }] : [{ id: direction }];
  const { rows, ...page } = libraryPageOf(query);
  const [total, snippets] = await Promise.all([
    ctx.db.snippet.count({ where }),
    ctx.db.snippet.findMany({ where, orderBy, ...rows, ...SNIPPET }),
  ]);
  const data = snippets.map((row) => snippetOf(row, ctx.actor));
  return { success: true, snippets: data, data, count: data.length, meta: metaOf(page, total) };
}

/** Returns one snippet. Throws `record_not_found`, also while it is being deleted. */
export async function get(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof getSnippet>,
): Promise<Output<typeof getSnippet>> {
  const row = await ctx.db.snippet.findUnique({
    where: { id },
    select: { ...SNIPPET.select, userId: true, removingAt: true },
  });
  if (row?.userId !== (await libraryOf(ctx))) throw inaccessibleRecord(row, "Snippet", id);
  if (row.removingAt) throw refuse("record_not_found", { params: { model: "Snippet", id } });
  return { success: true, snippet: snippetOf(row, ctx.actor) };
}
