import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { inaccessibleRecord, refuse } from "@/server/core/errors";
import { escapeLike, searchWords } from "@/server/core/fold";
import { pageOf } from "@/server/core/list";
import { orderOf } from "@/server/core/order";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { getMediaUsage, listMedia } from "../contract";
import { MEDIA, mediaOf } from "../dto";
import { libraryOf, usageOf } from "./library";

const COLUMNS = { created_at: "id", name: "nameFolded", size: "size" } as const;
const PER_PAGE = 25;

export async function list(
  ctx: Context<UserActor>,
  { query }: Input<typeof listMedia>,
): Promise<Output<typeof listMedia>> {
  const userId = await libraryOf(ctx);
  const where = {
    userId,
    removingAt: null,
    AND: searchWords(query.q).map((word) => ({ nameFolded: { contains: escapeLike(word) } })),
    ...(query.kind != null && { kind: query.kind }),
    ...(query.used != null && { snippets: { [query.used ? "some" : "none"]: { removingAt: null } } }),
  } satisfies Prisma.MediaFileWhereInput;
  const { by, direction } = orderOf(query.sort ?? "-created_at");
  const orderBy = [{ [COLUMNS[by]]: direction }, ...(by === "created_at" ? [] : [{ id: direction }])];
  const { rows, ...page } = libraryPageOf(query);
  // Use the stored count for an unfiltered library: counting 50,000 rows takes longer than the rest.
  const isWhole = where.AND.length === 0 && query.kind == null && query.used == null;
  const countWhere = isWhole ? { userId, removingAt: { not: null } } : where;
  const [count, files, usage] = await Promise.all([
    ctx.db.mediaFile.count({ where: countWhere }),
    ctx.db.mediaFile.findMany({ where, orderBy, ...rows, ...MEDIA }),
    usageOf(ctx, userId),
  ]);
  const total = isWhole ? Math.max(0, usage.files - count) : count;
  const data = files.map((row) => mediaOf(row, ctx.actor));
  return { success: true, media: data, data, count: data.length, meta: metaOf(page, total), usage };
}

export const libraryPageOf = (query: { page?: number | null; per_page?: number | null }) =>
  pageOf({ page: query.page, per_page: query.per_page ?? PER_PAGE });

export function metaOf({ page, per_page }: { page: number; per_page: number }, total: number) {
  return { page, per_page, total, current_page: page, last_page: Math.max(1, Math.ceil(total / per_page)) };
}

/** Returns the snippets that use a file. Throws `record_not_found`, also while the file is being deleted. */
export async function usage(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof getMediaUsage>,
): Promise<Output<typeof getMediaUsage>> {
  await requireVisible(ctx, id);
  const snippets = await ctx.db.snippet.findMany({
    where: { mediaFileId: id, removingAt: null },
    orderBy: [{ title: "asc" }, { id: "asc" }],
    take: 100,
    select: { id: true, title: true },
  });
  return { success: true, snippets, data: snippets, count: snippets.length };
}

async function requireVisible(ctx: Context<UserActor>, id: number): Promise<void> {
  const file = await ctx.db.mediaFile.findUnique({
    where: { id },
    select: { userId: true, removingAt: true },
  });
  if (file?.userId !== (await libraryOf(ctx))) throw inaccessibleRecord(file, "MediaFile", id);
  if (file.removingAt) throw refuse("record_not_found", { params: { model: "MediaFile", id } });
}
