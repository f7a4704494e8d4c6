import type { Context, Scope, UserActor } from "@/server/core/context";
import { type Input, RawJson } from "@/server/core/contract";
import { outOfReach, refuse } from "@/server/core/errors";
import type { Work } from "@/server/infrastructure/database/transaction";
import { type getSite, LIST_MAX, type listSites } from "../contract";
import { reachesSite } from "../policy";
import {
  findSite,
  listAgentSite,
  listAllSites,
  listOneSite,
  listOwnSites,
  listResellerSites,
} from "../statements";

/** The sites in the caller's scope, oldest first, written as JSON by PostgreSQL. */
export async function list(ctx: Context<UserActor>, { query }: Input<typeof listSites>): Promise<RawJson> {
  const page = { after: query.after ?? 0, limit: query.limit ?? LIST_MAX };
  const [row] = await listIn(ctx, ctx.actor.scope, page);
  return new RawJson(row!.body);
}

/** One statement for each kind of scope: each is a plain walk along an index, however large the table is. */
function listIn(
  work: Pick<Work, "sql">,
  { userId, role, onlySite, isAgent }: Scope,
  page: { after: number; limit: number },
): Promise<Array<{ body: string }>> {
  if (isAgent) return listAgentSite(work, { siteId: onlySite, after: page.after });
  if (onlySite !== null) return listOneSite(work, { siteId: onlySite, after: page.after });
  if (role === "admin") return listAllSites(work, page);
  return role === "user"
    ? listOwnSites(work, { ...page, userId })
    : listResellerSites(work, { ...page, userId });
}

/** One site; 404 when there is none, 403 when it is outside the caller's scope. */
export async function get(ctx: Context<UserActor>, { params }: Input<typeof getSite>): Promise<RawJson> {
  const [site] = await findSite(ctx, { siteId: params.id });
  if (!site) throw outOfReach(undefined, "Site", params.id);
  const { scope } = ctx.actor;
  if (!reachesSite(scope, site)) throw refuse("forbidden");
  return new RawJson(`{"data":${scope.isAgent ? site.agentBody : site.body}}`);
}
