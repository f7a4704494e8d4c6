import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createInaccessibleError, createNotFoundError } from "@/server/core/errors";
import { escapeLike, splitIntoWords } from "@/server/core/fold";
import { parsePage } from "@/server/core/list";
import { parseSort } from "@/server/core/sort";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { getMediaUsage, listMedia } from "../contract";
import { MEDIA_SELECT, toMediaFile } from "../dto";
import { findLibraryOwner, findLibraryOwnerId, getLibraryUsage } from "./library";

const SORT_COLUMNS = { created_at: "id", name: "nameFolded", size: "size" } as const;
const LIBRARY_PAGE_SIZE = 25;

export async function listLibraryFiles(
  ctx: Context<UserActor>,
  { query }: Input<typeof listMedia>,
): Promise<Output<typeof listMedia>> {
  const owner = await findLibraryOwner(ctx);
  const where = {
    userId: owner.id,
    removingAt: null,
    AND: splitIntoWords(query.q).map((word) => ({ nameFolded: { contains: escapeLike(word) } })),
    ...(query.kind != null && { kind: query.kind }),
    ...(query.used != null && { snippets: { [query.used ? "some" : "none"]: { removingAt: null } } }),
  } satisfies Prisma.MediaFileWhereInput;
  const { by, direction } = parseSort(query.sort ?? "-created_at");
  const orderBy = [{ [SORT_COLUMNS[by]]: direction }, ...(by === "created_at" ? [] : [{ id: direction }])];
  const { range, ...page } = parseLibraryPage(query);
  // Without filters, use the stored count and count only hidden files: counting 50,000 rows takes long.
  const isUnfiltered = where.AND.length === 0 && query.kind == null && query.used == null;
  const countWhere = isUnfiltered ? { userId: owner.id, removingAt: { not: null } } : where;
  const [countedFileCount, files, usage] = await Promise.all([
    ctx.db.mediaFile.count({ where: countWhere }),
    ctx.db.mediaFile.findMany({ where, orderBy, ...range, ...MEDIA_SELECT }),
    getLibraryUsage(ctx, owner),
  ]);
  const total = isUnfiltered ? Math.max(0, usage.files - countedFileCount) : countedFileCount;
  const data = files.map((row) => toMediaFile(row, ctx.actor, owner));
  return { success: true, media: data, data, count: data.length, meta: buildLibraryMeta(page, total), usage };
}

export const parseLibraryPage = (query: { page?: number | null; per_page?: number | null }) =>
  parsePage({ page: query.page, per_page: query.per_page ?? LIBRARY_PAGE_SIZE });

export function buildLibraryMeta({ page, per_page }: { page: number; per_page: number }, total: number) {
  return { page, per_page, total, current_page: page, last_page: Math.max(1, Math.ceil(total / per_page)) };
}

export async function listFileSnippets(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof getMediaUsage>,
): Promise<Output<typeof getMediaUsage>> {
  await requireVisibleFile(ctx, id);
  const snippets = await ctx.db.snippet.findMany({
    where: { mediaFileId: id, removingAt: null },
    orderBy: [{ title: "asc" }, { id: "asc" }],
    take: 100,
    select: { id: true, title: true },
  });
  return { success: true, snippets, data: snippets, count: snippets.length };
}

async function requireVisibleFile(ctx: Context<UserActor>, id: number): Promise<void> {
  const file = await ctx.db.mediaFile.findUnique({
    where: { id },
    select: { userId: true, removingAt: true },
  });
  if (file?.userId !== (await findLibraryOwnerId(ctx))) throw createInaccessibleError(file, "MediaFile", id);
  if (file.removingAt) throw createNotFoundError("MediaFile", id);
}
