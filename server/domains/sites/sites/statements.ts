import * as z from "zod";
import { SiteLine } from "@/server/core/schema";
import { type AuditAuthor, insertAuditEntriesSql } from "@/server/domains/accounts/audit/service/audit";
import { emitWebhookEventsSql } from "@/server/domains/accounts/webhooks/service/events";
import { LICENCE_COVERS_SITE_SQL, SLOT_SUBSCRIPTIONS_QUERY } from "@/server/domains/sites/slots/service";
import { newestMatchesStatement } from "@/server/infrastructure/database/newest-matches";
import {
  Fragment,
  isoMicrosSql,
  type SqlPart,
  sqlPart,
  statement,
} from "@/server/infrastructure/database/statement";
import { bucketSql } from "@/server/infrastructure/series/lines";
import { createSite } from "./contract";
import { type SITE_DEFAULTS, SITE_LIST_MAX } from "./policy";

/* PostgreSQL builds the JSON of sites. That is faster for lists of thousands and for concurrent creation. */

/** Fields of `Site` in contract.ts. */
function buildSiteJsonSql(systemPrompt: string): string {
  return `json_build_object(
    'id', s.id, 'name', s.name, 'domain', s.domain, 'user_id', s.user_id,
    'api_key', 'dsk_****' || s.api_key_last_four, 'is_active', s.is_active,
    'suspended_reason', s.suspended_reason, 'suspended_at', ${isoMicrosSql("s.suspended_at")},
    'suspended_by', s.suspended_by, 'last_seen_at', ${isoMicrosSql("s.last_seen_at")},
    'last_seen_host', s.last_seen_host, 'system_prompt', ${systemPrompt},
    'widget_color', s.widget_color, 'widget_position', s.widget_position, 'welcome_message', s.welcome_message,
    'bot_name', s.bot_name, 'ai_enabled', s.ai_enabled, 'similarity_threshold', s.similarity_threshold,
    'ai_provider_api_key', '****' || s.ai_provider_key_last_four, 'subscription_id', s.subscription_id,
    'billing', case when s.subscription_id is not null then 'slot'
                    when exists (select from site_licences l where l.site_id = s.id and ${LICENCE_COVERS_SITE_SQL.text})
                    then 'licence' else 'none' end,
    'settings', json_build_object('max_messages_per_session', s.max_messages_per_session),
    'created_at', ${isoMicrosSql("s.created_at")}, 'updated_at', ${isoMicrosSql("s.updated_at")})`;
}

const [SITE_JSON, AGENT_SITE_JSON] = [buildSiteJsonSql("s.system_prompt"), buildSiteJsonSql("null")];
const buildSiteListSql = (site: string) =>
  new Fragment(`json_build_object('data', coalesce(json_agg(${site} order by s.id), '[]'::json))::text`);
const [SITE_FRAGMENT, AGENT_SITE_FRAGMENT] = [new Fragment(SITE_JSON), new Fragment(AGENT_SITE_JSON)];
const [SITE_LIST_FRAGMENT, AGENT_SITE_LIST_FRAGMENT] = [
  buildSiteListSql(SITE_JSON),
  buildSiteListSql(AGENT_SITE_JSON),
];

const JsonRow = z.strictObject({ json: z.string() });

interface Cursor {
  after: number;
  limit: number;
}

export const listSingleSite = statement(JsonRow)<{ siteId: number | null; after: number }>`
  select ${SITE_LIST_FRAGMENT} as "json" from sites s
   where s.id = ${(input) => input.siteId} and s.id > ${(input) => input.after} and s.deleted_at is null`;

export const listSingleSiteForAgent = statement(JsonRow)<{ siteId: number | null; after: number }>`
  select ${AGENT_SITE_LIST_FRAGMENT} as "json" from sites s
   where s.id = ${(input) => input.siteId} and s.id > ${(input) => input.after} and s.deleted_at is null`;

export const listAllSites = statement(JsonRow)<Cursor>`
  select ${SITE_LIST_FRAGMENT} as "json"
    from (select * from sites where id > ${(input) => input.after} and deleted_at is null
           order by id limit ${(input) => input.limit}) s`;

/**
 * Begins a `with` clause; the caller closes its parenthesis. Materialised: otherwise the planner may scan the
 * whole table by primary key to fill the limit.
 */
const buildOwnSitesCteStart = (userId: string) => `
  with reachable as materialized (
    select * from sites
     where deleted_at is null
       and user_id = any(array(select ${userId} union all select id from users where parent_user_id = ${userId}))`;
const OWN_SITES_CTE_START = new Fragment(buildOwnSitesCteStart("(select user_id from params)"));

/**
 * Answers `GET /api/sites` without parameters in the query that reads the token. If it is null, the service
 * answers. Measured by the bench.
 */
export const CALLER_SITE_LIST_SQL = new Fragment(`
  case when caller.role = 'user' and not caller.is_agent_only then (${buildOwnSitesCteStart("caller.user_id")})
    select ${SITE_LIST_FRAGMENT.text} from (select * from reachable order by id limit ${SITE_LIST_MAX}) s) end`);

export const listOwnSites = statement(JsonRow)<Cursor & { userId: number }>`
  with params as (select ${(input) => input.userId}::int as user_id), list as (
    ${OWN_SITES_CTE_START} and id > ${(input) => input.after})
    select ${SITE_LIST_FRAGMENT} as "json" from (select * from reachable order by id limit ${(input) => input.limit}) s)
  select "json" from list`;

export const listResellerSites = statement(JsonRow)<Cursor & { userId: number }>`
  select ${SITE_LIST_FRAGMENT} as "json"
    from (select * from sites
           where reseller_id = ${(input) => input.userId} and id > ${(input) => input.after} and deleted_at is null
           order by id limit ${(input) => input.limit}) s`;

/**
 * JSON array of sites in the order of `ids`. `hiddenFields` is merged over each site: it holds the empty
 * values of fields that the caller may not read.
 */
export const listSitesById = statement(JsonRow)<{ ids: number[]; hiddenFields: object }>`
  select coalesce(jsonb_agg(${SITE_FRAGMENT}::jsonb || jsonb_build_object('owner_name', owner.name) || ${(input) => input.hiddenFields}::jsonb order by page.place), '[]')::text as "json"
    from unnest(${(input) => input.ids}::int[]) with ordinality as page(id, place)
    join sites s using (id) join users owner on owner.id = s.user_id where s.deleted_at is null`;

export const findNewestSites = newestMatchesStatement(SiteLine, {
  columns: "id, name, domain, is_active",
  table: "sites",
  condition: "deleted_at is null",
});

export const findSiteJson = statement(
  z.strictObject({
    json: z.string(),
    agentJson: z.string(),
    id: z.int(),
    userId: z.int(),
    ownerParentId: z.int().nullable(),
    ownerResellerId: z.int().nullable(),
    parentResellerId: z.int().nullable(),
  }),
)<{ siteId: number }>`
  select (${SITE_FRAGMENT}::jsonb || jsonb_build_object('faqs_count', s.faqs_count, 'owner_name', owner.name))::text as "json",
         (${AGENT_SITE_FRAGMENT}::jsonb || jsonb_build_object('faqs_count', s.faqs_count, 'owner_name', owner.name))::text as "agentJson",
         s.id, s.user_id as "userId", owner.parent_user_id as "ownerParentId", owner.reseller_id as "ownerResellerId",
         parent.reseller_id as "parentResellerId"
    from sites s join users owner on owner.id = s.user_id left join users parent on parent.id = owner.parent_user_id
   where s.id = ${(input) => input.siteId} and s.deleted_at is null`;

export interface NewSite {
  userId: number;
  withoutSlot: boolean;
  name: string;
  domain: string;
  keyHash: Buffer;
  keySealed: Buffer;
  keyLastFour: string;
  widgetColor: string;
  widgetPosition: string;
  welcomeMessage: string;
  botName: string;
  aiEnabled: boolean;
  similarityThreshold: number;
  systemPrompt: string;
  searchText: string;
  maxMessagesPerSession: number;
  eventId: string;
  /** The creator (the owner or the owner's reseller) and the request. */
  author: AuditAuthor;
}

const CREATED_AT_SQL = new Fragment(isoMicrosSql("created_at"));

/**
 * Returns no row if no slot is free or the domain is taken. Lock the slots in an earlier statement, because
 * this one counts used slots from its own snapshot. Measured by the bench.
 */
export const insertSite = statement(
  z.strictObject({
    /** The API's object without its key. One JSON column, because the driver reads it faster than several. */
    site: createSite.output.shape.site.omit({ api_key: true }).strict(),
    remainingSlots: z.int().nullable(),
    hasSubscribers: z.boolean(),
  }),
)<NewSite>`
  with account_slots as (${SLOT_SUBSCRIPTIONS_QUERY} and s.user_id = ${(site) => site.userId}),
       slot as ((select id from account_slots where "usedSlotCount" < "slotCount" order by "endsAt", id limit 1)
                union all select null::int where ${(site) => site.withoutSlot}::boolean limit 1),
       new_site as (
         insert into sites (user_id, subscription_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four,
                            widget_color, widget_position, welcome_message, bot_name, ai_enabled, similarity_threshold,
                            system_prompt, search_text, max_messages_per_session)
         select ${(site) => site.userId}::int, slot.id, ${(site) => site.name}, ${(site) => site.domain},
                ${(site) => site.keyHash}::bytea, ${(site) => site.keySealed}::bytea, ${(site) => site.keyLastFour},
                ${(site) => site.widgetColor}, ${(site) => site.widgetPosition}, ${(site) => site.welcomeMessage},
                ${(site) => site.botName}, ${(site) => site.aiEnabled}::boolean,
                ${(site) => site.similarityThreshold}::float8, ${(site) => site.systemPrompt}, ${(site) => site.searchText},
                ${(site) => site.maxMessagesPerSession}::int
           from slot
         on conflict (domain) do nothing returning *),
       entry as (${insertAuditEntriesSql({
         action: "site.created",
         objectType: "Site",
         rowsSql: `select id, jsonb_build_object(
                            'mode', case when subscription_id is null then 'pay_per_site' else 'subscription_slot' end) as details
                     from new_site`,
       })}),
       event as (${emitWebhookEventsSql({
         type: "site.created",
         rowsSql: `select user_id as owner_id, created_at as at, json_build_object(
                            'id', id, 'domain', domain, 'user_id', user_id, 'created_at', ${CREATED_AT_SQL.text}) as data
                     from new_site`,
       })})
  select json_build_object('id', id, 'name', name, 'domain', domain, 'user_id', user_id, 'subscription_id', subscription_id,
                           'is_active', is_active, 'created_at', ${CREATED_AT_SQL}) as site,
         (select sum(greatest("slotCount" - "usedSlotCount", 0))::int from account_slots) - 1 as "remainingSlots",
         exists (select from event) as "hasSubscribers"
    from new_site`;

/** Row lock. Rows that refer to the site can still be inserted. */
export const lockSiteRow = statement(z.strictObject({ id: z.int() }))<{ siteId: number }>`
  select id from sites where id = ${(input) => input.siteId} and deleted_at is null for no key update`;

/** Row lock. The site can be updated, but not deleted. */
export const lockSiteRowAgainstDeletion = statement(z.strictObject({ id: z.int() }))<{ siteId: number }>`
  select id from sites where id = ${(input) => input.siteId} and deleted_at is null for key share`;

/** SQL, because the creation of a site has only `sql` in its transaction, not `db`. */
export const findCustomer = statement(z.strictObject({ id: z.int() }))<{
  customerId: number;
  resellerId: number;
}>`
  select id from users where id = ${(input) => input.customerId} and reseller_id = ${(input) => input.resellerId}
     and anonymised_at is null`;

/** Row locks. Take them before the locks of the sites, in the same order as recording a payment. */
export const lockOpenLicences = statement(z.strictObject({ id: z.int() }))<{ siteIds: number[] }>`
  select id from site_licences
   where site_id = any(${(input) => input.siteIds}::int[]) and status in ('pending', 'active') order by id for update`;

/** Row locks, also of deleted sites. */
export const lockSiteRows = statement(z.strictObject({ id: z.int() }))<{ ids: number[] }>`
  select id from sites where id = any(${(input) => input.ids}::int[]) order by id for update`;

interface SitesToRetire {
  ids: number[];
  /** Hashes of random bytes: no key matches them. */
  keyHashes: Buffer[];
  name: string;
  defaults: typeof SITE_DEFAULTS;
}
/** Updates from a list: each site gets its own placeholder domain and key hash, and leaves its slot. */
export const retireSiteRows = statement(z.never())<SitesToRetire>`
  update sites s
     set name = ${(input) => input.name}, domain = 'deleted-' || s.id || '.invalid', search_text = '', is_active = false,
         suspended_reason = coalesce(suspended_reason, 'owner'), deleted_at = coalesce(deleted_at, now()),
         subscription_id = null, api_key_hash = retired.hash, api_key_sealed = '', api_key_last_four = '',
         system_prompt = ${({ defaults }) => defaults.system_prompt}, welcome_message = ${({ defaults }) => defaults.welcome_message},
         bot_name = ${({ defaults }) => defaults.bot_name}, ai_enabled = false,
         similarity_threshold = ${({ defaults }) => defaults.similarity_threshold}::float8,
         widget_color = ${({ defaults }) => defaults.widget_color}, widget_position = ${({ defaults }) => defaults.widget_position},
         max_messages_per_session = ${({ defaults }) => defaults.settings.max_messages_per_session}::int,
         ai_provider_key_sealed = null, ai_provider_key_last_four = null, last_seen_at = null, last_seen_host = null,
         updated_at = now()
    from unnest(${(input) => input.ids}::int[], ${(input) => input.keyHashes}::bytea[]) as retired(id, hash)
   where s.id = retired.id`;

/**
 * SQL, because Prisma would change `updated_at`. The age is checked again here, so that concurrent reports write
 * once. Skips a locked site instead of making visitors wait.
 */
export const recordSeenSite = statement(z.strictObject({ id: z.int() }))<{ siteId: number; host: string }>`
  update sites set last_seen_at = now(), last_seen_host = ${(input) => input.host}
   where id = (select id from sites where id = ${(input) => input.siteId} and deleted_at is null
                  and (last_seen_at is null or last_seen_at < now() - interval '1 minute')
                  for no key update skip locked)
  returning id`;

const SiteFigures = z.strictObject({
  bucket: z.int(),
  created: z.number(),
  active: z.number(),
  suspended: z.number(),
});

interface SiteChangesInput {
  userId: number;
  limits: Date[];
}

/** Bucket 0 is the time before the first limit. `accounts` is the SQL of the accounts to count, null for all. */
const buildChangeSumStatement = (accounts: SqlPart<SiteChangesInput> | null) => statement(
  SiteFigures,
)<SiteChangesInput>`
  select ${bucketSql("at")} as bucket, sum(created)::float8 as created, sum(active)::float8 as active,
         sum(suspended)::float8 as suspended
    from site_changes
   where at < ${({ limits }) => limits.at(-1)}::timestamptz ${accounts ?? new Fragment("")}
   group by 1`;

export const sumAllSiteChanges = buildChangeSumStatement(null);

/** A person's own sites and those of sub-users: the accounts of {@link listOwnSites}. */
export const sumOwnSiteChanges = buildChangeSumStatement(sqlPart`
     and user_id = any(array(select id from users
                              where id = ${({ userId }) => userId} or parent_user_id = ${({ userId }) => userId}))`);

/** The reseller, its customers, and the sub-users of all of them. */
export const sumResellerSiteChanges = buildChangeSumStatement(sqlPart`
     and user_id = any(array(
           with direct as (select id from users
                            where id = ${({ userId }) => userId} or reseller_id = ${({ userId }) => userId})
           select id from direct union select id from users where parent_user_id in (select id from direct)))`);
