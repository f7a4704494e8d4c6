import * as z from "zod";
import { STATES_WITH_DEADLINE } from "@/server/domains/billing/accounting/contract";
import { CHANNELS } from "@/server/domains/sites/connections/contract";
import { SUSPENSION_REASONS } from "@/server/domains/sites/sites/contract";
import { Fragment, statement } from "@/server/infrastructure/database/statement";
import { CHANNEL_PROBLEMS, DUE_INVOICE_DAYS } from "./policy";

const DUE_INVOICE_DAYS_SQL = new Fragment(String(DUE_INVOICE_DAYS));
const WITH_DEADLINE_SQL = new Fragment(STATES_WITH_DEADLINE.map((state) => `'${state}'`).join(", "));

/** The object `overview` of the contract. In SQL, because Prisma does not know the job queue's tables. */
export const countOpenTasks = statement(
  z.strictObject({
    no_bank: z.boolean(),
    no_legal_texts: z.boolean(),
    orders: z.int(),
    licences: z.int(),
    past_due: z.int(),
    failed_mails: z.int(),
    factor_resets: z.int(),
    failing_portals: z.int(),
    late_invoices: z.int(),
    due_invoices: z.int(),
    failed_invoices: z.int(),
    failed_jobs: z.int(),
    refused_sign_ups: z.int(),
  }),
)`
  select not exists (select from settings where key = 'bank' and value <> 'null') as no_bank,
         (select count(distinct key) from legal_texts where key in ('terms', 'privacy')) < 2 as no_legal_texts,
         (select count(*) from subscriptions where status = 'pending')::int as orders,
         (select count(*) from site_licences where status = 'pending')::int as licences,
         (select count(*) from subscriptions where status = 'past_due' and not is_trial)::int as past_due,
         (select count(*) from mail_messages where state = 'failed' and created_at > now() - interval '1 day')::int
           as failed_mails,
         (select count(*) from admin_actions where kind = 'reset_two_factor' and state = 'waiting')::int as factor_resets,
         (select count(*) from reseller_portals where verified_at is not null and failing_since is not null)::int
           as failing_portals,
         (select count(*) from accounting_documents
           where state in (${WITH_DEADLINE_SQL}) and deadline_at < now())::int as late_invoices,
         (select count(*) from accounting_documents
           where state in (${WITH_DEADLINE_SQL}) and state <> 'failed' and deadline_at >= now()
             and deadline_at < now() + interval '${DUE_INVOICE_DAYS_SQL} days')::int as due_invoices,
         (select count(*) from accounting_documents where state = 'failed')::int as failed_invoices,
         (select count(*) from graphile_worker.jobs where attempts >= max_attempts and locked_at is null)::int as failed_jobs,
         (select count(*) from sign_up_refusals where at > now() - interval '1 day')::int as refused_sign_ups`;

export const readLastMonthFigures = statement(
  z.strictObject({ sign_ups: z.int(), sites: z.int(), revenueMinor: z.number() }),
)`
  select (select count(*) from users where created_at > now() - interval '30 days' and anonymised_at is null)::int as sign_ups,
         (select count(*) from sites where created_at > now() - interval '30 days' and deleted_at is null)::int as sites,
         (select coalesce(sum(amount_minor), 0) from payments
           where state = 'recorded' and currency = 'TRY' and paid_at > (now() at time zone 'Europe/Istanbul')::date - 30)::float8
           as "revenueMinor"`;

export const readResellerFigures = statement(
  z.strictObject({
    customers: z.int(),
    newCustomers: z.int(),
    licenceCount: z.int(),
    licencePriceTry: z.number(),
  }),
)<{ resellerId: number }>`
  select count(*)::int as customers,
         (count(*) filter (where created_at > now() - interval '30 days'))::int as "newCustomers",
         (select count(*) from site_licences where user_id = ${(input) => input.resellerId} and status = 'pending')::int
           as "licenceCount",
         (select coalesce(sum(price_try), 0) from site_licences
           where user_id = ${(input) => input.resellerId} and status = 'pending')::float8 as "licencePriceTry"
    from users where reseller_id = ${(input) => input.resellerId} and anonymised_at is null`;

/** Unpaid licences of a reseller by customer. Sites of sub-users count for their parent. */
export const listUnpaidLicencesByCustomer = statement(
  z.strictObject({
    customerId: z.int(),
    customerName: z.string(),
    count: z.int(),
    priceTry: z.number(),
    payBy: z.date(),
  }),
)<{ resellerId: number; take: number }>`
  select customer.id as "customerId", customer.name as "customerName", count(*)::int as count,
         sum(l.price_try)::float8 as "priceTry", min(l.pay_by) as "payBy"
    from site_licences l join sites s on s.id = l.site_id join users owner on owner.id = s.user_id
         join users customer on customer.id = coalesce(owner.parent_user_id, owner.id)
   where l.user_id = ${(input) => input.resellerId} and l.status = 'pending'
   group by customer.id, customer.name order by min(l.pay_by), customer.id limit ${(input) => input.take}`;

/** Earnings by month in Turkey since `fromMonth` (`YYYY-MM`). */
export const sumEarningsByMonth = statement(
  z.strictObject({ month: z.string(), currency: z.string(), amountMinor: z.number() }),
)<{ resellerId: number; fromMonth: string }>`
  select to_char(created_at at time zone 'Europe/Istanbul', 'YYYY-MM') as month, currency,
         sum(amount_minor)::float8 as "amountMinor"
    from referral_earnings
   where reseller_id = ${(input) => input.resellerId} and state = 'earned'
     and created_at >= to_date(${(input) => input.fromMonth}, 'YYYY-MM')::timestamp at time zone 'Europe/Istanbul'
   group by 1, 2`;

/** IDs of an account and its sub-users. */
const OWNER_IDS_SQL = new Fragment(
  "array(select user_id from scope union all select id from users where parent_user_id = (select user_id from scope))",
);

/*
 * Two branches, one of which is empty: a condition for both kinds of scopes would read all rows of the table.
 * Materialised, because a limit would otherwise tempt the planner to walk the primary key.
 */

/** Newest sites with the latest of their last change, sighting of the widget and call with their external key. */
export const listNewestSitesWithActivity = statement(
  z.strictObject({
    id: z.int(),
    name: z.string(),
    domain: z.string(),
    is_active: z.boolean(),
    suspended_reason: z.enum(SUSPENSION_REASONS).nullable(),
    widget_color: z.string(),
    lastActiveAt: z.date(),
  }),
)<SiteScope & { take: number }>`
  with scope as (select ${(input) => input.userId}::int as user_id, ${(input) => input.onlySiteId}::int as site_id),
  reachable as materialized (
    select * from sites where (select site_id from scope) is null and user_id = any(${OWNER_IDS_SQL})
    union all
    select * from sites where id = (select site_id from scope))
  select s.id, s.name, s.domain, s.is_active, s.suspended_reason, s.widget_color,
         greatest(s.updated_at, s.last_seen_at,
                  (select max(last_used_at) from external_keys where site_id = s.id)) as "lastActiveAt"
    from reachable s
   where s.deleted_at is null
   order by s.id desc limit ${(input) => input.take}`;

/** Connections by channel; those of problem channels first. Running clean-ups are left out. */
export const countConnectionsByChannel = statement(
  z.strictObject({
    channel: z.enum(CHANNELS),
    working: z.int(),
    attention: z.int(),
    idle: z.int(),
    problem: z
      .strictObject({ connection_id: z.int(), label: z.string(), kind: z.enum(CHANNEL_PROBLEMS) })
      .nullable(),
  }),
)<SiteScope>`
  with scope as (select ${(input) => input.userId}::int as user_id, ${(input) => input.onlySiteId}::int as site_id),
  reachable as materialized (
    select * from connections where (select site_id from scope) is null and user_id = any(${OWNER_IDS_SQL})
    union all
    select c.* from connections c join connection_sites cs on cs.connection_id = c.id
     where cs.site_id = (select site_id from scope)),
  stated as (
    select c.id, c.channel, c.label,
           case when c.cleanup = 'failed' then 'cleanup_failed'
                when c.token_dead_at is not null then 'dead'
                when not c.is_active or not exists (
                  select from connection_sites cs join sites s on s.id = cs.site_id
                   where cs.connection_id = c.id and s.is_active and s.deleted_at is null) then 'idle'
                when c.health = 'unreachable' then 'unreachable'
                else 'working' end as state
      from reachable c where c.cleanup <> 'running')
  select channel, (count(*) filter (where state = 'working'))::int as working,
         (count(*) filter (where state not in ('working', 'idle')))::int as attention,
         (count(*) filter (where state = 'idle'))::int as idle,
         (array_agg(json_build_object('connection_id', id, 'label', label, 'kind', state) order by id)
            filter (where state not in ('working', 'idle')))[1] as problem
    from stated group by channel
   order by count(*) filter (where state not in ('working', 'idle')) = 0, count(*) filter (where state = 'working') > 0, channel`;

interface SiteScope {
  userId: number;
  onlySiteId: number | null;
}

export const readSetupFacts = statement(
  z.strictObject({
    hasBrand: z.boolean(),
    hasPortal: z.boolean(),
    isPortalVerified: z.boolean(),
    hasMailAccount: z.boolean(),
    isMailAccountVerified: z.boolean(),
    hasCustomer: z.boolean(),
    hasInvitation: z.boolean(),
  }),
)<{ resellerId: number }>`
  select exists (select from brands where user_id = r.id) as "hasBrand",
         portal.id is not null as "hasPortal", portal.verified_at is not null as "isPortalVerified",
         mail.id is not null as "hasMailAccount", mail.verified_at is not null as "isMailAccountVerified",
         exists (select from users where reseller_id = r.id and anonymised_at is null) as "hasCustomer",
         exists (select from customer_invitations where reseller_id = r.id and accepted_at is null) as "hasInvitation"
    from users r left join reseller_portals portal on portal.reseller_id = r.id
         left join mail_accounts mail on mail.user_id = r.id
   where r.id = ${(input) => input.resellerId}`;
