import * as z from "zod";
import { Fragment, isoMicrosSql, sqlPart, statement } from "@/server/infrastructure/database/statement";
import { bucketSql, inLimitsSql } from "@/server/infrastructure/series/lines";

/** `IdleConnection` of connection `c` with {@link joinLiveSites} as `live` (docs/contract.md 2.6). */
const buildIdleConnectionJsonSql = (canManageSql: string) => `json_build_object(
    'channel', c.channel, 'id', c.id, 'label', c.label, 'connection_type', c.connection_type,
    'reasons', to_json(array_remove(array[
      case when live.total = 0 then 'no_site' end,
      case when live.total > 0 and live.active = 0 then 'sites_inactive' end,
      case when not c.is_active then 'deactivated' end], null)),
    'token_dead', c.token_dead_at is not null, 'is_active', c.is_active, 'linked_sites', live.shown,
    'owner_user_id', c.user_id, 'can_manage', ${canManageSql}, 'created_at', ${isoMicrosSql("c.created_at")})`;

/** Joins the sites that are not deleted as `live`. `visibleSql` limits those shown, not those counted. */
const joinLiveSites = (visibleSql: string) => `
  join users o on o.id = c.user_id left join users p on p.id = o.parent_user_id
  cross join lateral (
    select count(*) as total, count(*) filter (where s.is_active) as active,
           coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'domain', s.domain, 'is_active', s.is_active)
                             order by s.id) filter (where ${visibleSql}), '[]') as shown
      from connection_sites l join sites s on s.id = l.site_id and s.deleted_at is null
     where l.connection_id = c.id) live`;

const IS_IDLE_SQL = `c.cleanup <> 'running' and (not c.is_active or not exists (
    select from connection_sites l join sites s on s.id = l.site_id
     where l.connection_id = c.id and s.is_active and s.deleted_at is null))`;

const buildIdleListSql = (canManageSql: string, visibleSql = "true") =>
  new Fragment(`select coalesce(json_agg(${buildIdleConnectionJsonSql(canManageSql)} order by c.id), '[]')::text as "json"
                  from page c ${joinLiveSites(visibleSql)}`);
const IDLE_LIST_FOR_ADMIN = buildIdleListSql("true");
const IDLE_LIST_IN_SCOPE =
  buildIdleListSql(`(c.user_id = (select user_id from params) or (select is_reseller from params)
  and (o.reseller_id = (select user_id from params) or p.reseller_id = (select user_id from params)))`);
const IDLE_LIST_OF_SITE = buildIdleListSql("false", "s.id = (select site_id from params)");
/** Caller and sub-accounts; for resellers also customers and their sub-accounts. */
const ACCOUNTS_IN_SCOPE = new Fragment(`array(
    select user_id from params
    union all select u.id from users u, params where u.parent_user_id = params.user_id
    union all select u.id from users u, params where params.is_reseller and u.reseller_id = params.user_id
    union all select sub.id from params, users sub join users customer on customer.id = sub.parent_user_id
               where params.is_reseller and customer.reseller_id = params.user_id)`);
const IS_IDLE_FRAGMENT = new Fragment(IS_IDLE_SQL);

const JsonRow = z.strictObject({ json: z.string() });
interface Cursor {
  after: number;
  limit: number;
}

export const listAllIdle = statement(JsonRow)<Cursor>`
  with page as materialized (
    select * from connections c where c.id > ${(input) => input.after} and ${IS_IDLE_FRAGMENT} order by c.id
     limit ${(input) => input.limit})
  ${IDLE_LIST_FOR_ADMIN}`;

/** Idle connections of caller and sub-accounts; for resellers also of customers and their sub-accounts. */
export const listIdleInScope = statement(JsonRow)<Cursor & { userId: number; isReseller: boolean }>`
  with params as (select ${(input) => input.userId}::int as user_id, ${(input) => input.isReseller}::boolean as is_reseller),
       page as materialized (
         select * from connections c
          where c.user_id = any(${ACCOUNTS_IN_SCOPE})
            and c.id > ${(input) => input.after} and ${IS_IDLE_FRAGMENT} order by c.id limit ${(input) => input.limit})
  ${IDLE_LIST_IN_SCOPE}`;

export const listIdleOfSite = statement(JsonRow)<Cursor & { siteId: number | null }>`
  with params as (select ${(input) => input.siteId}::int as site_id),
       page as materialized (
         select c.* from connections c join connection_sites link on link.connection_id = c.id
          where link.site_id = (select site_id from params) and c.id > ${(input) => input.after} and ${IS_IDLE_FRAGMENT}
          order by c.id limit ${(input) => input.limit})
  ${IDLE_LIST_OF_SITE}`;

/** Inserts items from lists. Skips connections that have an open item. */
export const insertCleanupItems = statement(z.strictObject({ id: z.int(), position: z.int() }))<{
  runId: string;
  positions: number[];
  channels: string[];
  connectionIds: number[];
  ownerIds: number[];
  labels: string[];
}>`
  insert into cleanup_items (run_id, position, channel, connection_id, owner_id, label, state)
  select ${(input) => input.runId}, position, channel, connection_id, owner_id, label, 'queued'
    from unnest(${(input) => input.positions}::int[], ${(input) => input.channels}::text[],
                ${(input) => input.connectionIds}::bigint[], ${(input) => input.ownerIds}::int[],
                ${(input) => input.labels}::text[]) as t(position, channel, connection_id, owner_id, label)
   order by connection_id
  on conflict (connection_id) where state in ('queued', 'running') do nothing
  returning id, position`;

/** Claims an item that is due or whose claim expired (3 minutes). Only the latest attempt can close it. */
export const claimCleanupItem = statement(
  z.strictObject({ attempts: z.int(), connectionId: z.number(), channel: z.string(), createdAt: z.date() }),
)<{ itemId: number }>`
  update cleanup_items i set state = 'running', claimed_at = now(), attempts = attempts + 1, next_at = null, reason = null
   where id = ${(input) => input.itemId}
     and (state = 'queued' or state = 'failed' and next_at <= now()
          or state = 'running' and claimed_at < now() - interval '3 minutes')
     and not exists (select from cleanup_items other where other.connection_id = i.connection_id and other.id <> i.id
                        and other.state in ('queued', 'running'))
  returning attempts, connection_id::float8 as "connectionId", channel, created_at as "createdAt"`;

/** Items to resume: queued for 90 s (longer than a request), failed and due, or with an expired claim. */
export const listDueCleanupItems = statement(z.strictObject({ id: z.int() }))<{ limit: number }>`
  select id from cleanup_items
   where state = 'queued' and created_at < now() - interval '90 seconds' and coalesce(next_at, now()) <= now()
      or state = 'failed' and next_at <= now()
      or state = 'running' and claimed_at < now() - interval '3 minutes'
   order by id limit ${(input) => input.limit}`;

export const lockConnection = statement(z.strictObject({ id: z.int() }))<{ connectionId: number }>`
  select id from connections where id = ${(input) => input.connectionId} for update`;

/** Shared row locks: no site is activated or deleted until the transaction ends. */
export const lockSitesForShare = statement(z.strictObject({ id: z.int() }))<{ connectionId: number }>`
  select s.id from sites s where s.id in (select site_id from connection_sites where connection_id = ${(input) => input.connectionId})
   order by s.id for share`;

/** Advisory lock: one transaction at a time decides about a provider account's settings. */
export const lockProviderAccount = statement(z.strictObject({ locked: z.int() }))<{
  channel: string;
  accountKey: string;
}>`
  select 1 as locked from (select pg_advisory_xact_lock(hashtext(${(input) => input.channel}), hashtext(${(input) => input.accountKey}))) as taken`;

/** Closes the run of an item once none of its items is open or waits for a retry. */
export const finishRunIfComplete = statement(z.never())<{ itemId: number }>`
  update cleanup_runs r set finished_at = now()
    from cleanup_items i
   where i.id = ${(input) => input.itemId} and r.id = i.run_id
     and not exists (select from cleanup_items open where open.run_id = r.id
                        and (open.state in ('queued', 'running') or open.state = 'failed' and open.next_at is not null))`;

/** Picks due connections, skipping those of other processes. Postpones them by an hour during the check. */
export const claimDueConnectionChecks = statement(z.strictObject({ id: z.int() }))<{ limit: number }>`
  update connections set next_check_at = now() + interval '1 hour'
   where id in (select id from connections where next_check_at <= now() and cleanup <> 'running'
                 order by next_check_at limit ${(input) => input.limit} for update skip locked)
  returning id`;

const CheckCounts = z.strictObject({ bucket: z.int(), ok: z.int(), unreachable: z.int(), dead: z.int() });

interface CheckPeriod {
  limits: Date[];
}

/** One scan for all outcomes and intervals; Prisma cannot group by an interval. */
const checkCountsSql = sqlPart<CheckPeriod>`
  select ${bucketSql("k.at")} as bucket, count(*) filter (where k.outcome = 'ok')::int as ok,
         count(*) filter (where k.outcome = 'unreachable')::int as unreachable,
         count(*) filter (where k.outcome = 'dead')::int as dead
    from connection_checks k where ${inLimitsSql("k.at")}`;

export const countAllChecks = statement(CheckCounts)<CheckPeriod>`
  ${checkCountsSql} group by 1`;

export const countChecksOfConnection = statement(CheckCounts)<CheckPeriod & { connectionId: number }>`
  ${checkCountsSql} and k.connection_id = ${({ connectionId }) => connectionId} group by 1`;

export const countChecksOfSite = statement(CheckCounts)<CheckPeriod & { siteId: number }>`
  ${checkCountsSql} and k.connection_id = any(array(
     select connection_id from connection_sites where site_id = ${({ siteId }) => siteId})) group by 1`;

export const countChecksInScope = statement(CheckCounts)<
  CheckPeriod & { userId: number; isReseller: boolean }
>`
  with params as (select ${({ userId }) => userId}::int as user_id, ${({ isReseller }) => isReseller}::boolean as is_reseller)
  ${checkCountsSql} and k.connection_id = any(array(
     select c.id from connections c where c.user_id = any(${ACCOUNTS_IN_SCOPE}))) group by 1`;
