import type { Context, Scope, UserActor } from "@/server/core/context";
import { type Input, RawJson } from "@/server/core/contract";
import { orderOf, pageOf } from "@/server/core/list";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { listSites } from "../contract";
import { isPageRequest, LIST_MAX } from "../policy";
import {
  listAgentSite,
  listAllSites,
  listById,
  listOneSite,
  listOwnSites,
  listResellerSites,
} from "../statements";
import { requireCustomer } from "./customer";
import { sitesWhere } from "./search";

type Query = Input<typeof listSites>["query"];

export async function list(ctx: Context<UserActor>, { query }: Input<typeof listSites>): Promise<RawJson> {
  if (isPageRequest(query)) return listPage(ctx, query);
  const walk = { after: query.after ?? 0, limit: query.limit ?? LIST_MAX };
  const [row] = await listInScope(ctx, ctx.actor.scope, walk);
  return new RawJson(row!.body);
}

/** One statement per kind of scope, so that each walks an index. */
function listInScope(
  work: Pick<DbAccess, "sql">,
  { userId, role, onlySite, isAgent }: Scope,
  walk: { after: number; limit: number },
): Promise<Array<{ body: string }>> {
  if (isAgent) return listAgentSite(work, { siteId: onlySite, after: walk.after });
  if (onlySite !== null) return listOneSite(work, { siteId: onlySite, after: walk.after });
  if (role === "admin") return listAllSites(work, walk);
  return role === "user"
    ? listOwnSites(work, { ...walk, userId })
    : listResellerSites(work, { ...walk, userId });
}

async function listPage(ctx: Context<UserActor>, query: Query): Promise<RawJson> {
  const { scope } = ctx.actor;
  if (query.customer_id != null) await requireCustomer(ctx, query.customer_id);
  const where = sitesWhere(scope, query);
  const { rows, ...page } = pageOf(query);
  const [total, sites] = await Promise.all([
    ctx.db.site.count({ where }),
    ctx.db.site.findMany({ where, ...rows, orderBy: orderBy(query.sort), select: { id: true } }),
  ]);
  const ids = sites.map(({ id }) => id);
  const [row] = await listById(ctx, { ids, hidden: scope.isAgent ? { system_prompt: null } : {} });
  return new RawJson(`{"data":${row!.body},"meta":${JSON.stringify({ ...page, total })}}`);
}

/** Order of a page; equal rows are ordered by ID. */
export function orderBy(sort: Query["sort"]) {
  const { by, direction } = orderOf(sort ?? "-created_at");
  const first = { name: [{ name: direction }], domain: [{ domain: direction }], created_at: [] }[by];
  return [...first, { id: direction }];
}
