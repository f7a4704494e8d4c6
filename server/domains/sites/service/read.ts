import type { Context, Scope, UserActor } from "@/server/core/context";
import { type Input, RawJson } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import type { Sql } from "@/server/infrastructure/database/sql";
import { type getSite, LIST_MAX, type listSites } from "../contract";
import { SITE_JSON, SITE_JSON_FOR_AGENT, SITE_LIST, SITE_LIST_FOR_AGENT } from "../dto";
import { reachesSite, type SiteLineage } from "../policy";

/** The sites in the caller's scope, oldest first, written as JSON by PostgreSQL. */
export async function list(
  { actor, sql }: Context<UserActor>,
  { query }: Input<typeof listSites>,
): Promise<RawJson> {
  const [row] = await listIn(actor.scope, sql, { after: query.after ?? 0, limit: query.limit ?? LIST_MAX });
  return new RawJson(row!.body);
}

/** One statement for each kind of scope: each is a plain walk along an index, however large the table is. */
function listIn(
  scope: Scope,
  sql: Sql,
  { after, limit }: { after: number; limit: number },
): Promise<Array<{ body: string }>> {
  if (scope.isAgent)
    return sql`
      select ${SITE_LIST_FOR_AGENT} as body from sites s where s.id = ${scope.onlySite} and s.id > ${after}`;
  if (scope.onlySite !== null)
    return sql`
      select ${SITE_LIST} as body from sites s where s.id = ${scope.onlySite} and s.id > ${after}`;
  if (scope.role === "admin")
    return sql`
      select ${SITE_LIST} as body from (select * from sites where id > ${after} order by id limit ${limit}) s`;
  // Materialized: the planner must not walk the whole table by its key in the hope of filling the limit soon.
  if (scope.role === "user")
    return sql`
      with reachable as materialized (
        select * from sites
         where user_id = any(array(
                 select ${scope.userId}::int
                 union all select id from users where parent_user_id = ${scope.userId}))
           and id > ${after})
      select ${SITE_LIST} as body from (select * from reachable order by id limit ${limit}) s`;
  return sql`
    with reachable as materialized (
      select * from sites
       where user_id = any(array(
               select ${scope.userId}::int
               union all select id from users where parent_user_id = ${scope.userId} or reseller_id = ${scope.userId}
               union all select sub.id from users sub join users customer on customer.id = sub.parent_user_id
                          where customer.reseller_id = ${scope.userId}))
         and id > ${after})
    select ${SITE_LIST} as body from (select * from reachable order by id limit ${limit}) s`;
}

/** One site; 404 when there is none, 403 when it is outside the caller's scope. */
export async function get(
  { actor, sql }: Context<UserActor>,
  { params }: Input<typeof getSite>,
): Promise<RawJson> {
  const [site] = await sql<SiteLineage & { body: string; agent_body: string }>`
    select (${SITE_JSON}::jsonb || jsonb_build_object('faqs_count', s.faqs_count))::text as body,
           (${SITE_JSON_FOR_AGENT}::jsonb || jsonb_build_object('faqs_count', s.faqs_count))::text as agent_body,
           s.id, s.user_id, owner.parent_user_id as owner_parent_id, owner.reseller_id as owner_reseller_id,
           parent.reseller_id as parent_reseller_id
      from sites s join users owner on owner.id = s.user_id left join users parent on parent.id = owner.parent_user_id
     where s.id = ${params.id}`;
  if (!site) throw refuse("record_not_found", { params: { model: "Site", id: params.id } });
  if (!reachesSite(actor.scope, site)) throw refuse("forbidden");
  return new RawJson(`{"data":${actor.scope.isAgent ? site.agent_body : site.body}}`);
}
