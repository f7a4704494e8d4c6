import type { Context, UserActor } from "@/server/core/context";
import { type Input, RawJson } from "@/server/core/contract";
import { createError, createNotFoundError } from "@/server/core/errors";
import type { getSite } from "../contract";
import { canReachSite } from "../policy";
import { findSiteJson } from "../statements";

export async function readSite(ctx: Context<UserActor>, { params }: Input<typeof getSite>): Promise<RawJson> {
  const [site] = await findSiteJson(ctx, { siteId: params.id });
  if (!site) throw createNotFoundError("Site", params.id);
  const { scope } = ctx.actor;
  if (!canReachSite(scope, site)) throw createError("forbidden");
  // The columns of `findSiteJson` decide what agents see.
  return new RawJson(`{"data":${scope.isAgent ? site.agentJson : site.json}}`);
}
