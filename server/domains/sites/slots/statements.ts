import * as z from "zod";
import { Fragment, statement } from "@/server/infrastructure/database/statement";
import {
  GRACE_DAYS,
  LICENCE_ABANDONED_DAYS,
  LICENCE_PAYMENT_DAYS,
  RENEWAL_DAYS,
  SITE_LICENCE_PRICE_TRY,
} from "./contract";

interface Given {
  userId: number;
}

/**
 * Subscriptions that give slots, and how many of those are taken; conditions may follow. By their end and not by their
 * state alone, so that a job that comes late neither gives nor takes.
 */
export const SLOTS = new Fragment(`
  select s.id, s.plan_name as plan, s.ends_at as "endsAt", s.site_slots as slots, s.used_slots as used
    from subscriptions s
   where s.status in ('active', 'past_due') and s.ends_at + interval '${GRACE_DAYS} days' > now()`);

/** In the creation of a site: the next to fill first. */
export const findSlots = statement(
  z.strictObject({ id: z.int(), plan: z.string(), endsAt: z.date(), slots: z.int(), used: z.int() }),
)<{ userId: number }>`
  ${SLOTS} and s.user_id = ${(given) => given.userId} order by s.ends_at, s.id`;

/** Row locks on the subscriptions of an account that the caller has locked. */
export const lockSubscriptions = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from subscriptions where user_id = ${(given) => given.userId} order by id for update`;

/**
 * Row locks: two creations cannot take one slot. Neither the owner nor the account above changes meanwhile: a new site is
 * marked with the reseller of the two.
 */
export const lockForNewSite = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  with owner as materialized (
    select id from users
     where id in (${(given) => given.userId}, (select parent_user_id from users where id = ${(given) => given.userId}))
     order by id for share)
  select id from subscriptions where user_id = ${(given) => given.userId} and (select count(*) from owner) > 0
   order by id for update`;

/** A year after a moment, on Turkey's calendar: the last day of February stands for its 29th. */
const yearAfter = (column: string) =>
  `(${column} at time zone 'Europe/Istanbul' + interval '1 year') at time zone 'Europe/Istanbul'`;
const [IN_A_YEAR, YEAR_AFTER_PERIOD] = [
  new Fragment(yearAfter("now()")),
  new Fragment(yearAfter("l.period_end")),
];

/** In the creation of a site, whose transaction contains statements alone. */
export const insertLicence = statement(z.strictObject({ id: z.int(), periodEnd: z.date() }))<{
  userId: number;
  siteId: number;
}>`
  insert into site_licences (site_id, user_id, price_try, period_start, period_end, pay_by, domains)
  select id, ${(given) => given.userId}, ${() => SITE_LICENCE_PRICE_TRY}, now(),
         ${IN_A_YEAR}, now() + make_interval(days => ${() => LICENCE_PAYMENT_DAYS}), array[domain]
    from sites where id = ${(given) => given.siteId}
  returning id, period_end as "periodEnd"`;

/** Row lock: pending licences of an account's own sites, whoever opened them: its slots are for no others. */
export const lockPending = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select l.id from site_licences l join sites s on s.id = l.site_id
   where l.status = 'pending' and s.deleted_at is null
     and s.user_id = ${(given) => given.userId}
   order by l.id for update of l`;

/**
 * Update from another table, by the database's clock: what a subscription took over for sites that it still has is to be paid
 * after all, while its year runs. None of these is paid: a year that was paid and runs is not taken over.
 */
export const reopenAbsorbed = statement(z.strictObject({ id: z.int() }))<{ subscriptionId: number }>`
  update site_licences l
     set status = 'pending', closed_reason = null, absorbed_by_id = null,
         pay_by = greatest(l.pay_by, now() + make_interval(days => ${() => LICENCE_PAYMENT_DAYS}))
    from sites s
   where s.id = l.site_id and s.subscription_id = l.absorbed_by_id and s.deleted_at is null
     and l.absorbed_by_id = ${(given) => given.subscriptionId}
     and l.status = 'absorbed' and l.paid_at is null and l.period_end > now()
  returning l.id`;

/** Whether a licence `l` is the next year of a paid one: its site has used nothing that was not paid. */
const RENEWAL = `exists (select from site_licences paid
                  where paid.site_id = l.site_id and paid.paid_at is not null and paid.period_end = l.period_start)`;

/**
 * In the creation of a site: a licence that an account must pay before it opens another one, the oldest. That is one that
 * is overdue, whose site is deleted, or whose site had the new domain: each of them has used its days of grace. A site that
 * still has the domain is no debt here, because the domain is taken then.
 */
export const findDebt = statement(
  z.strictObject({ reference: z.string(), priceTry: z.int(), domain: z.string().nullable() }),
)<Given & { domain: string }>`
  select l.reference, l.price_try as "priceTry",
         case when s.deleted_at is null then s.domain else l.domains[array_upper(l.domains, 1)] end as domain
    from site_licences l join sites s on s.id = l.site_id
   where l.user_id = ${(given) => given.userId} and l.status = 'pending'
     and (s.deleted_at is not null
       or (not ${new Fragment(RENEWAL)} and s.domain <> ${(given) => given.domain}
         and (l.pay_by <= now() or ${(given) => given.domain} = any(l.domains))))
   order by l.pay_by, l.id limit 1`;

/**
 * Whether a licence `l` ends with its site `s`: a paid one, and a next year that is not due yet. A licence that was opened
 * stays pending until it is paid or an administrator cancels it, unless a slot pays for the site.
 */
const ENDS_WITH_SITE = new Fragment(`
  (l.status = 'active'
    or (l.status = 'pending' and l.pay_by > now() and (s.subscription_id is not null or ${RENEWAL})))`);

/** Compares licences with others. */
export const closeWithSites = statement(z.never())<{ siteIds: readonly number[]; reason: string }>`
  update site_licences l set status = 'cancelled', closed_reason = ${(given) => given.reason}
    from sites s
   where s.id = l.site_id and l.site_id = any(${(given) => [...given.siteIds]}::int[]) and ${ENDS_WITH_SITE}`;

/** The same without a change: pending licences that would not end with their site. */
export const findStayingDue = statement(z.strictObject({ id: z.int() }))<{ siteId: number }>`
  select l.id from site_licences l join sites s on s.id = l.site_id
   where l.site_id = ${(given) => given.siteId} and l.status = 'pending' and not ${ENDS_WITH_SITE}`;

/*
 * What becomes due with licences, by the clock of the database, as slots are. Each of these statements names the state
 * that it leaves, so that whoever comes second changes nothing.
 */

/**
 * Licences that end soon and have no next year yet: not of sites that a slot pays for, or that are gone. One that a
 * subscription took over is none, once the site has lost that.
 */
const RENEWABLE = new Fragment(`
  from site_licences l join sites s on s.id = l.site_id
   where l.status = 'active' and l.period_end <= now() + interval '${RENEWAL_DAYS} days'
     and s.subscription_id is null and s.deleted_at is null
     and not exists (select 1 from site_licences n where n.site_id = l.site_id and n.period_start >= l.period_end and n.status <> 'absorbed')`);

/**
 * Licences whose site is active though nothing pays for it: unpaid ones, unless the year before still runs. A year that is
 * paid and yet to come pays for none before it.
 */
const UNPAID = new Fragment(`
  from site_licences l join sites s on s.id = l.site_id
   where ((l.status = 'pending' and l.pay_by <= now()) or l.status = 'expired')
     and s.subscription_id is null and s.is_active
     and not exists (select 1 from site_licences n
                      where n.site_id = l.site_id
                        and ((n.status = 'active' and n.period_start <= now()) or (n.status = 'pending' and n.pay_by > now())))`);

/** Next years that were not paid. A licence that an account has confirmed stays a debt. */
const ABANDONED = new Fragment(`
  l.status = 'pending' and l.pay_by <= now() - interval '${LICENCE_ABANDONED_DAYS} days' and ${RENEWAL}`);

/** Of several tables: whose licences need something. */
export const findLicenceHolders = statement(z.strictObject({ userId: z.int() }))`
  select user_id as "userId" from site_licences where status = 'active' and period_end <= now()
  union select l.user_id from site_licences l where ${ABANDONED}
  union select l.user_id ${UNPAID} union select l.user_id ${RENEWABLE} order by 1`;

/** Insert from a select: the next year begins where this one ends, and two jobs open one. */
export const openRenewals = statement(z.strictObject({ id: z.int(), siteId: z.int() }))<Given>`
  insert into site_licences (site_id, user_id, price_try, period_start, period_end, pay_by, domains)
  select l.site_id, l.user_id, ${() => SITE_LICENCE_PRICE_TRY}, l.period_end, ${YEAR_AFTER_PERIOD},
         greatest(l.period_end, now() + make_interval(days => ${() => LICENCE_PAYMENT_DAYS})), array[s.domain]
  ${RENEWABLE} and l.user_id = ${(given) => given.userId}
  on conflict do nothing returning id, site_id as "siteId"`;

/** By the database's clock. */
export const expireLicences = statement(z.strictObject({ id: z.int() }))<Given>`
  update site_licences set status = 'expired'
   where user_id = ${(given) => given.userId} and status = 'active' and period_end <= now() returning id`;

/** By the database's clock. */
export const abandonLicences = statement(z.strictObject({ id: z.int() }))<Given>`
  update site_licences l set status = 'cancelled', closed_reason = 'unpaid'
   where l.user_id = ${(given) => given.userId} and ${ABANDONED} returning id`;

/** Row lock over two tables: sites that nothing pays for, each with the licence that is to be paid. */
export const lockUnpaid = statement(z.strictObject({ id: z.int(), licenceId: z.int() }))<Given>`
  select s.id, l.id as "licenceId" ${UNPAID} and l.user_id = ${(given) => given.userId}
   order by s.id, l.status = 'pending' desc, l.id desc for update of s`;

/**
 * What somebody above pays for an account's sites becomes the account's, once they are above it no more: a year that is paid
 * runs to its end, and what is open it may pay, or it ends like any other. Compares three tables.
 */
export const handLicences = statement(z.strictObject({ id: z.int() }))<{
  /** Whose sites; null: everybody's. */
  ownerId: number | null;
  /** Who paid; null: whoever did. */
  payerId: number | null;
  /** Those that stay above. */
  staying: readonly number[];
  /** Whether the payer's own members are left out. */
  keepsMembers: boolean;
}>`
  update site_licences l set user_id = s.user_id
    from sites s join users owner on owner.id = s.user_id
   where s.id = l.site_id and s.user_id <> l.user_id and s.deleted_at is null and l.status in ('pending', 'active')
     and s.user_id = coalesce(${(given) => given.ownerId}::int, s.user_id)
     and l.user_id = coalesce(${(given) => given.payerId}::int, l.user_id)
     and l.user_id <> all (${(given) => [...given.staying]}::int[])
     and (owner.parent_user_id is distinct from l.user_id or not ${(given) => given.keepsMembers}::boolean)
  returning l.id`;
