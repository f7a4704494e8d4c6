import type { Context, UserActor } from "@/server/core/context";
import { escapeLike, splitIntoWords } from "@/server/core/fold";
import type { MediaKind } from "../policy";
import { findLibraryOwnerId } from "./library";

export async function findMedia(
  ctx: Context<UserActor>,
  q: string,
  limit: number,
): Promise<Array<{ id: number; name: string; kind: MediaKind }>> {
  return ctx.db.mediaFile.findMany({
    where: {
      userId: await findLibraryOwnerId(ctx),
      removingAt: null,
      AND: splitIntoWords(q).map((word) => ({ nameFolded: { contains: escapeLike(word) } })),
    },
    orderBy: { id: "desc" },
    take: limit,
    select: { id: true, name: true, kind: true },
  });
}
