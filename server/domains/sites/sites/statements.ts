import * as z from "zod";
import { SiteLine } from "@/server/core/schema";
import { type Author, auditRows } from "@/server/domains/accounts/audit/service/audit";
import { emitRows } from "@/server/domains/accounts/webhooks/service/events";
import { SLOTS } from "@/server/domains/sites/slots/service";
import { newestOf } from "@/server/infrastructure/database/newest";
import { Fragment, isoMicrosSql, statement } from "@/server/infrastructure/database/statement";
import { createSite } from "./contract";
import { LIST_MAX, type NEW_SITE } from "./policy";

/*
 * Sites are listed by the thousand and created concurrently, so these statements return JSON written by PostgreSQL,
 * or insert within a transaction of statements.
 */

/** A row `s` of sites as the documented object; secrets are masked. */
function siteJson(systemPrompt: string): string {
  return `json_build_object(
    'id', s.id, 'name', s.name, 'domain', s.domain, 'user_id', s.user_id,
    'api_key', 'dsk_****' || s.api_key_last_four, 'is_active', s.is_active,
    'suspended_reason', s.suspended_reason, 'system_prompt', ${systemPrompt},
    'widget_color', s.widget_color, 'widget_position', s.widget_position, 'welcome_message', s.welcome_message,
    'bot_name', s.bot_name, 'ai_enabled', s.ai_enabled, 'similarity_threshold', s.similarity_threshold,
    'ai_provider_api_key', '****' || s.ai_provider_key_last_four, 'subscription_id', s.subscription_id,
    'settings', json_build_object('max_messages_per_session', s.max_messages_per_session),
    'created_at', ${isoMicrosSql("s.created_at")}, 'updated_at', ${isoMicrosSql("s.updated_at")})`;
}

/** Agents, who reply to people, do not see the assistant's instructions. */
const [SITE_TEXT, AGENT_TEXT] = [siteJson("s.system_prompt"), siteJson("null")];
const listOf = (site: string) =>
  new Fragment(`json_build_object('data', coalesce(json_agg(${site} order by s.id), '[]'::json))::text`);
const [SITE, SITE_FOR_AGENT] = [new Fragment(SITE_TEXT), new Fragment(AGENT_TEXT)];
const [SITES, SITES_FOR_AGENT] = [listOf(SITE_TEXT), listOf(AGENT_TEXT)];

const Body = z.strictObject({ body: z.string() });

interface Page {
  after: number;
  limit: number;
}

/** JSON by PostgreSQL: the site of an external key. */
export const listOneSite = statement(Body)<{ siteId: number | null; after: number }>`
  select ${SITES} as body from sites s
   where s.id = ${(given) => given.siteId} and s.id > ${(given) => given.after} and s.deleted_at is null`;

/** JSON by PostgreSQL: the site of an agent. */
export const listAgentSite = statement(Body)<{ siteId: number | null; after: number }>`
  select ${SITES_FOR_AGENT} as body from sites s
   where s.id = ${(given) => given.siteId} and s.id > ${(given) => given.after} and s.deleted_at is null`;

/** JSON by PostgreSQL: every site, for administrators. */
export const listAllSites = statement(Body)<Page>`
  select ${SITES} as body
    from (select * from sites where id > ${(given) => given.after} and deleted_at is null
           order by id limit ${(given) => given.limit}) s`;

/**
 * Own sites and those of sub-users, up to the end of the condition. Materialised, because the planner must not walk the
 * whole table by its key in the hope of filling the limit soon.
 */
const ownSites = (userId: string) => `
  with reachable as materialized (
    select * from sites
     where deleted_at is null
       and user_id = any(array(select ${userId} union all select id from users where parent_user_id = ${userId}))`;
const OWN_SITES = new Fragment(ownSites("(select user_id from given)"));

/** `GET /api/sites` of people with sites of their own, measured by the bench. */
export const SITES_OF_CALLER = new Fragment(`
  case when caller.role = 'user' and not caller.is_agent_only then (${ownSites("caller.user_id")})
    select ${SITES.text} from (select * from reachable order by id limit ${LIST_MAX}) s) end`);

/** JSON by PostgreSQL. */
export const listOwnSites = statement(Body)<Page & { userId: number }>`
  with given as (select ${(given) => given.userId}::int as user_id), body as (
    ${OWN_SITES} and id > ${(given) => given.after})
    select ${SITES} as body from (select * from reachable order by id limit ${(given) => given.limit}) s)
  select body from body`;

/** JSON by PostgreSQL: a reseller's own sites, those of customers, and those of sub-users on both sides. */
export const listResellerSites = statement(Body)<Page & { userId: number }>`
  select ${SITES} as body
    from (select * from sites
           where reseller_id = ${(given) => given.userId} and id > ${(given) => given.after} and deleted_at is null
           order by id limit ${(given) => given.limit}) s`;

/** JSON by PostgreSQL: the sites of a page in its order, with their owners, without what the caller may not read. */
export const listById = statement(Body)<{ ids: number[]; hidden: object }>`
  select coalesce(jsonb_agg(${SITE}::jsonb || jsonb_build_object('owner_name', owner.name) || ${(given) => given.hidden}::jsonb order by page.place), '[]')::text as body
    from unnest(${(given) => given.ids}::int[]) with ordinality as page(id, place)
    join sites s using (id) join users owner on owner.id = s.user_id where s.deleted_at is null`;

/** Shape: see {@link newestOf}. */
export const findNewest = newestOf(SiteLine, {
  columns: "id, name, domain, is_active",
  table: "sites",
  living: "deleted_at is null",
});

/** JSON by PostgreSQL: one site as its owner and as an agent read it, with who stands above it. */
export const findSite = statement(
  z.strictObject({
    body: z.string(),
    agentBody: z.string(),
    id: z.int(),
    userId: z.int(),
    ownerParentId: z.int().nullable(),
    ownerResellerId: z.int().nullable(),
    parentResellerId: z.int().nullable(),
  }),
)<{ siteId: number }>`
  select (${SITE}::jsonb || jsonb_build_object('faqs_count', s.faqs_count, 'owner_name', owner.name))::text as body,
         (${SITE_FOR_AGENT}::jsonb || jsonb_build_object('faqs_count', s.faqs_count, 'owner_name', owner.name))::text as "agentBody",
         s.id, s.user_id as "userId", owner.parent_user_id as "ownerParentId", owner.reseller_id as "ownerResellerId",
         parent.reseller_id as "parentResellerId"
    from sites s join users owner on owner.id = s.user_id left join users parent on parent.id = owner.parent_user_id
   where s.id = ${(given) => given.siteId} and s.deleted_at is null`;

export interface NewSite {
  userId: number;
  /** Whether the site is paid for in another way when no slot is free. */
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
  maxMessages: number;
  eventId: string;
  /** The creator, who is the owner or the owner's reseller, and the request. */
  author: Author;
}

const CREATED_AT = new Fragment(isoMicrosSql("created_at"));

/**
 * Measured by the bench: chooses the slot, inserts the site, notes it, and writes the event where somebody hears it. No
 * row when there is no slot, or when the domain is taken. Lock the slots in a statement before it: this one counts what was committed until then.
 */
export const insertSite = statement(
  z.strictObject({
    /** As documented, but for its key. One column of JSON: nine take the driver longer. */
    site: createSite.output.shape.site.omit({ api_key: true }).strict(),
    remaining: z.int().nullable(),
    isHeard: z.boolean(),
  }),
)<NewSite>`
  with given as (${SLOTS} and s.user_id = ${(site) => site.userId}),
       slot as ((select id from given where used < slots order by "endsAt", id limit 1)
                union all select null::int where ${(site) => site.withoutSlot}::boolean limit 1),
       made as (
         insert into sites (user_id, subscription_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four,
                            widget_color, widget_position, welcome_message, bot_name, ai_enabled, similarity_threshold,
                            system_prompt, search_text, max_messages_per_session)
         select ${(site) => site.userId}::int, slot.id, ${(site) => site.name}, ${(site) => site.domain},
                ${(site) => site.keyHash}::bytea, ${(site) => site.keySealed}::bytea, ${(site) => site.keyLastFour},
                ${(site) => site.widgetColor}, ${(site) => site.widgetPosition}, ${(site) => site.welcomeMessage},
                ${(site) => site.botName}, ${(site) => site.aiEnabled}::boolean,
                ${(site) => site.similarityThreshold}::float8, ${(site) => site.systemPrompt}, ${(site) => site.searchText},
                ${(site) => site.maxMessages}::int
           from slot
         on conflict (domain) do nothing returning *),
       entry as (${auditRows({
         action: "site.created",
         type: "Site",
         subject: `select id, jsonb_build_object(
                            'mode', case when subscription_id is null then 'pay_per_site' else 'subscription_slot' end) as details
                     from made`,
       })}),
       event as (${emitRows({
         type: "site.created",
         subject: `select user_id as owner_id, created_at as at, json_build_object(
                            'id', id, 'domain', domain, 'user_id', user_id, 'created_at', ${CREATED_AT.text}) as data
                     from made`,
       })})
  select json_build_object('id', id, 'name', name, 'domain', domain, 'user_id', user_id, 'subscription_id', subscription_id,
                           'is_active', is_active, 'created_at', ${CREATED_AT}) as site,
         (select sum(greatest(slots - used, 0))::int from given) - 1 as remaining,
         exists (select from event) as "isHeard"
    from made`;

/** Row lock; inserts that refer to the site need not wait for it. */
export const lockRow = statement(z.strictObject({ id: z.int() }))<{ siteId: number }>`
  select id from sites where id = ${(given) => given.siteId} and deleted_at is null for no key update`;

/** Row lock that lets the site change, but not be deleted. */
export const holdRow = statement(z.strictObject({ id: z.int() }))<{ siteId: number }>`
  select id from sites where id = ${(given) => given.siteId} and deleted_at is null for key share`;

/** Within the transaction of statements that creates a site: whether an account is the reseller's customer. */
export const findCustomer = statement(z.strictObject({ id: z.int() }))<{
  customerId: number;
  resellerId: number;
}>`
  select id from users where id = ${(given) => given.customerId} and reseller_id = ${(given) => given.resellerId}
     and anonymised_at is null`;

/** Row locks on what sites are paid by, before the sites: whoever pays a licence locks both in this order. */
export const lockLicences = statement(z.strictObject({ id: z.int() }))<{ ids: number[] }>`
  select id from site_licences
   where site_id = any(${(given) => given.ids}::int[]) and status in ('pending', 'active') order by id for update`;

/** Row locks before several sites are retired. */
export const lockRows = statement(z.strictObject({ id: z.int() }))<{ ids: number[] }>`
  select id from sites where id = any(${(given) => given.ids}::int[]) order by id for update`;

interface Retired {
  ids: number[];
  /** Hashes of keys that nobody has. */
  hashes: Buffer[];
  name: string;
  defaults: typeof NEW_SITE;
}
/** Update from a list: each site gets a unique placeholder domain and a hash of its own, and leaves its slot. */
export const retireRows = statement(z.never())<Retired>`
  update sites s
     set name = ${(given) => given.name}, domain = 'deleted-' || s.id || '.invalid', search_text = '', is_active = false,
         suspended_reason = coalesce(suspended_reason, 'owner'), deleted_at = coalesce(deleted_at, now()),
         subscription_id = null, api_key_hash = dead.hash, api_key_sealed = '', api_key_last_four = '',
         system_prompt = ${({ defaults }) => defaults.system_prompt}, welcome_message = ${({ defaults }) => defaults.welcome_message},
         bot_name = ${({ defaults }) => defaults.bot_name}, ai_enabled = false,
         similarity_threshold = ${({ defaults }) => defaults.similarity_threshold}::float8,
         widget_color = ${({ defaults }) => defaults.widget_color}, widget_position = ${({ defaults }) => defaults.widget_position},
         max_messages_per_session = ${({ defaults }) => defaults.settings.max_messages_per_session}::int,
         ai_provider_key_sealed = null, ai_provider_key_last_four = null, updated_at = now()
    from unnest(${(given) => given.ids}::int[], ${(given) => given.hashes}::bytea[]) as dead(id, hash)
   where s.id = dead.id`;
