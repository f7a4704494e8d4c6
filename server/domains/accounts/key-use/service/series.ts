import type { Context, UserActor } from "@/server/core/context";
import type { SeriesRange } from "@/server/infrastructure/series/range";
import { countKeyCalls } from "../statements";
import { writeKeyUse } from "./record";

/** Calls of the account's API keys, or of one, by interval and key. */
export async function countCallsOverTime(
  ctx: Context<UserActor>,
  tokenId: number | null,
  { limits }: SeriesRange,
) {
  await writeKeyUse();
  return countKeyCalls(ctx, { userId: ctx.actor.id, tokenId, limits });
}
