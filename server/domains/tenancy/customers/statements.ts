import * as z from "zod";
import { Fragment, isoMicrosSql, statement } from "@/server/infrastructure/database/statement";
import { bucketSql } from "@/server/infrastructure/series/lines";
import type { CustomerSort, CustomerState } from "./policy";

interface CustomerListInput {
  resellerId: number;
  isActive: boolean | null;
  state: CustomerState | null;
  /** The longest pattern, because the index serves only one. All patterns must match. */
  longestPattern: string;
  otherPatterns: string[];
  sort: CustomerSort;
  skip: number;
  take: number;
  page: number | null;
}

/** Turns the rows of `page` into JSON objects. Counts only for that page. */
const CUSTOMER_ROWS = new Fragment(`
  accounts as (
    select id as customer, id as account from page
    union all select s.parent_user_id, s.id from users s where s.parent_user_id = any(array(select id from page))),
  counted as (
    select a.customer, count(distinct s.id) as sites, count(l.id) as licences
      from accounts a join sites s on s.user_id = a.account and s.deleted_at is null
           left join site_licences l on l.site_id = s.id and l.status = 'active'
     group by a.customer),
  subscribed as (
    select user_id as customer, count(*) as subscriptions from subscriptions
     where user_id = any(array(select id from page)) and status in ('active', 'past_due') group by user_id),
  documented as (
    select page.place, json_build_object(
             'id', page.id, 'name', page.name, 'email', page.email, 'phone', page.phone, 'is_active', page.is_active,
             'sites_count', coalesce(counted.sites, 0),
             'active_licenses_count', coalesce(counted.licences, 0) + coalesce(subscribed.subscriptions, 0),
             'created_at', ${isoMicrosSql("page.created_at")}) as row
      from page left join counted on counted.customer = page.id left join subscribed on subscribed.customer = page.id)`);

/** State of a row of `users`. */
const STATE_SQL = new Fragment(`
  case when not users.is_active then 'deactivated'
       when exists (select from sites s where s.user_id = users.id and s.suspended_reason = 'subscription_ended'
                       and s.deleted_at is null) then 'offline'
       when exists (select from subscriptions p where p.user_id = users.id and p.status = 'past_due') then 'past_due'
       else 'active' end`);

/** `searchedSql` is the SQL expression to search. To search nothing, it is `''` and the pattern is `%`. */
const buildListStatement = (searchedSql: string) => statement(
  z.strictObject({ json: z.string() }),
)<CustomerListInput>`
  with found as (
    select id, name, email, phone, is_active, created_at from users
     where reseller_id = ${(input) => input.resellerId} and anonymised_at is null
       and ${new Fragment(searchedSql)} like ${(input) => input.longestPattern} and ${new Fragment(searchedSql)} like all(${(input) => input.otherPatterns}::text[])
       and is_active = coalesce(${(input) => input.isActive}::boolean, is_active)
       and (${(input) => input.state}::text is null or ${STATE_SQL} = ${(input) => input.state}::text)),
  page as materialized (
    select *, row_number() over (
             order by case ${(input) => input.sort}::text when 'name' then name collate "names" when 'email' then email end,
                      case ${(input) => input.sort}::text when '-name' then name collate "names" when '-email' then email end desc,
                      case when left(${(input) => input.sort}::text, 1) <> '-' then id end, id desc) as place
      from found order by place limit ${(input) => input.take} offset ${(input) => input.skip}),
  ${CUSTOMER_ROWS}
  select '{"success":true,"data":' || coalesce(json_agg(row order by place)::text, '[]') || ',"count":' || count(*)
         || case when ${(input) => input.page}::int is null then '' else ',"meta":' || json_build_object(
              'page', ${(input) => input.page}::int, 'per_page', ${(input) => input.take}::int, 'total', (select count(*) from found)) end
         || '}' as json from documented`;

/** PostgreSQL builds the JSON, because lists have thousands of customers. */
export const listCustomers = buildListStatement("''");

/** Concatenates `''` to bypass the index: a scan of a few thousand rows is faster. */
export const searchFewCustomers = buildListStatement("(search_text || '')");

export const searchManyCustomers = buildListStatement("search_text");

export const countCustomerStates = statement(
  z.strictObject({
    active: z.int(),
    past_due: z.int(),
    offline: z.int(),
    deactivated: z.int(),
    invited: z.int(),
  }),
)<{ resellerId: number }>`
  with states as (
    select ${STATE_SQL} as state from users where reseller_id = ${(input) => input.resellerId} and anonymised_at is null)
  select (count(*) filter (where state = 'active'))::int as active,
         (count(*) filter (where state = 'past_due'))::int as past_due,
         (count(*) filter (where state = 'offline'))::int as offline,
         (count(*) filter (where state = 'deactivated'))::int as deactivated,
         (select count(*) from customer_invitations
           where reseller_id = ${(input) => input.resellerId} and accepted_at is null)::int as invited
    from states`;

/** Row lock; no row unless the account is still the reseller's customer. */
export const lockCustomer = statement(
  z.strictObject({ isActive: z.boolean(), deactivatedBy: z.enum(["user", "reseller", "admin"]).nullable() }),
)<{
  id: number;
  resellerId: number;
}>`
  select is_active as "isActive", deactivated_by as "deactivatedBy" from users
   where id = ${(input) => input.id} and reseller_id = ${(input) => input.resellerId} and anonymised_at is null for no key update`;

/** Row lock: the reseller must not change while a customer's account is opened. */
export const lockInvitingReseller = statement(z.strictObject({ id: z.int(), canInvite: z.boolean() }))<{
  tokenHash: Buffer;
}>`
  select u.id, u.is_active and u.role = 'reseller' as "canInvite"
    from customer_invitations i join users u on u.id = i.reseller_id
   where i.token_hash = ${(input) => input.tokenHash} for share of u`;

/** Row locks on imports that contain an address. `addressStart` is the address up to its @, in lower case. */
export const lockImportsContaining = statement(
  z.strictObject({ id: z.int(), rows: z.unknown(), report: z.unknown() }),
)<{ addressStart: string }>`
  select id, rows, report from customer_imports
   where strpos(lower(rows::text), ${({ addressStart }) => addressStart}) > 0 or strpos(lower(report::text), ${({ addressStart }) => addressStart}) > 0
   order by id for update`;

/** Bucket 0 is the time before the first limit. */
export const countJoinedCustomers = statement(z.strictObject({ bucket: z.int(), joined: z.int() }))<{
  resellerId: number;
  limits: Date[];
}>`
  select ${bucketSql("created_at")} as bucket, count(*)::int as joined from users
   where reseller_id = ${({ resellerId }) => resellerId} and anonymised_at is null
     and created_at < ${({ limits }) => limits.at(-1)}::timestamptz
   group by 1`;
