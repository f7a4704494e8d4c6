import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createInaccessibleError, createNotFoundError } from "@/server/core/errors";
import { escapeLike, splitIntoWords } from "@/server/core/fold";
import { parseSort } from "@/server/core/sort";
import { findLibraryOwnerId } from "@/server/domains/sites/media/service/library";
import { buildLibraryMeta, parseLibraryPage } from "@/server/domains/sites/media/service/list";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { getSnippet, listSnippets } from "../contract";
import { SNIPPET_SELECT, toSnippet } from "../dto";
import { toShortcutKey } from "../policy";

export async function listLibrarySnippets(
  ctx: Context<UserActor>,
  { query }: Input<typeof listSnippets>,
): Promise<Output<typeof listSnippets>> {
  const where = {
    userId: await findLibraryOwnerId(ctx),
    removingAt: null,
    ...(query.shortcut && { shortcutKey: toShortcutKey(query.shortcut) }),
    AND: splitIntoWords(query.q).map((word) => ({ searchText: { contains: escapeLike(word) } })),
    ...(query.file === "missing" && {
      OR: [{ fileMissingAt: { not: null } }, { mediaFile: { removingAt: { not: null } } }],
    }),
  } satisfies Prisma.SnippetWhereInput;
  const { by, direction } = parseSort(query.sort ?? "-created_at");
  const orderBy = by === "title" ? [{ title: direction }, { id: direction }] : [{ id: direction }];
  const { range, ...page } = parseLibraryPage(query);
  const [total, snippets] = await Promise.all([
    ctx.db.snippet.count({ where }),
    ctx.db.snippet.findMany({ where, orderBy, ...range, ...SNIPPET_SELECT }),
  ]);
  const data = snippets.map((row) => toSnippet(row, ctx.actor));
  return { success: true, snippets: data, data, count: data.length, meta: buildLibraryMeta(page, total) };
}

export async function readSnippet(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof getSnippet>,
): Promise<Output<typeof getSnippet>> {
  const row = await ctx.db.snippet.findUnique({
    where: { id },
    select: { ...SNIPPET_SELECT.select, userId: true, removingAt: true },
  });
  if (row?.userId !== (await findLibraryOwnerId(ctx))) throw createInaccessibleError(row, "Snippet", id);
  if (row.removingAt) throw createNotFoundError("Snippet", id);
  return { success: true, snippet: toSnippet(row, ctx.actor) };
}
