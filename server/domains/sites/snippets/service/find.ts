import type { Context, UserActor } from "@/server/core/context";
import { escapeLike, splitIntoWords } from "@/server/core/fold";
import { findLibraryOwnerId } from "@/server/domains/sites/media/service/library";

export async function findSnippets(
  ctx: Context<UserActor>,
  query: string,
  limit: number,
): Promise<Array<{ id: number; title: string }>> {
  return ctx.db.snippet.findMany({
    where: {
      userId: await findLibraryOwnerId(ctx),
      removingAt: null,
      AND: splitIntoWords(query).map((word) => ({ searchText: { contains: escapeLike(word) } })),
    },
    orderBy: { id: "desc" },
    take: limit,
    select: { id: true, title: true },
  });
}
