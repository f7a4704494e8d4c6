import type { Context, Scope, UserActor } from "@/server/core/context";
import { type Input, RawJson } from "@/server/core/contract";
import { parsePage, parseSort } from "@/server/core/list";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { listSites } from "../contract";
import { isPagedQuery, SITE_LIST_MAX } from "../policy";
import {
  listAllSites,
  listOwnSites,
  listResellerSites,
  listSingleSite,
  listSingleSiteForAgent,
  listSitesById,
} from "../statements";
import { requireCustomer } from "./customer";
import { whereSites } from "./search";

type Query = Input<typeof listSites>["query"];

export async function listReachableSites(
  ctx: Context<UserActor>,
  { query }: Input<typeof listSites>,
): Promise<RawJson> {
  if (isPagedQuery(query)) return listSitePage(ctx, query);
  const cursor = { after: query.after ?? 0, limit: query.limit ?? SITE_LIST_MAX };
  const [row] = await listInScope(ctx, ctx.actor.scope, cursor);
  return new RawJson(row!.json);
}

/** Uses one statement per kind of scope, so that each uses an index. */
function listInScope(
  access: Pick<DbAccess, "sql">,
  { userId, role, onlySiteId, isAgent }: Scope,
  cursor: { after: number; limit: number },
): Promise<Array<{ json: string }>> {
  if (isAgent) return listSingleSiteForAgent(access, { siteId: onlySiteId, after: cursor.after });
  if (onlySiteId !== null) return listSingleSite(access, { siteId: onlySiteId, after: cursor.after });
  if (role === "admin") return listAllSites(access, cursor);
  return role === "user"
    ? listOwnSites(access, { ...cursor, userId })
    : listResellerSites(access, { ...cursor, userId });
}

async function listSitePage(ctx: Context<UserActor>, query: Query): Promise<RawJson> {
  const { scope } = ctx.actor;
  if (query.customer_id != null) await requireCustomer(ctx, query.customer_id);
  const where = whereSites(scope, query);
  const { range, ...page } = parsePage(query);
  const [total, sites] = await Promise.all([
    ctx.db.site.count({ where }),
    ctx.db.site.findMany({ where, ...range, orderBy: buildSiteOrderBy(query.sort), select: { id: true } }),
  ]);
  const ids = sites.map(({ id }) => id);
  // Agents may not read the prompt: AGENT_SITE_JSON in statements.ts is the same rule.
  const [row] = await listSitesById(ctx, { ids, hiddenFields: scope.isAgent ? { system_prompt: null } : {} });
  return new RawJson(`{"data":${row!.json},"meta":${JSON.stringify({ ...page, total })}}`);
}

export function buildSiteOrderBy(sort: Query["sort"]) {
  const { by, direction } = parseSort(sort ?? "-created_at");
  // IDs follow the time of creation.
  const sortColumns = { name: [{ name: direction }], domain: [{ domain: direction }], created_at: [] }[by];
  return [...sortColumns, { id: direction }];
}
