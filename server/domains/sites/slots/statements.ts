import * as z from "zod";
import { Fragment, statement } from "@/server/infrastructure/database/statement";
import { bucketSql, inLimitsSql } from "@/server/infrastructure/series/lines";
import {
  LICENCE_PAYMENT_DAYS,
  RENEWAL_ABANDONED_DAYS,
  RENEWAL_LEAD_DAYS,
  SITE_LICENCE_PRICE_TRY,
  SUBSCRIPTION_GRACE_DAYS,
} from "./contract";

interface AccountInput {
  userId: number;
}

/** Subscriptions whose slots can be used. Callers append conditions. Tests the end date: jobs may be late. */
export const SLOT_SUBSCRIPTIONS_QUERY = new Fragment(`
  select s.id, s.plan_name as plan, s.ends_at as "endsAt", s.site_slots as "slotCount", s.used_slots as "usedSlotCount",
         s.is_trial as "isTrial"
    from subscriptions s
   where s.status in ('active', 'past_due') and s.ends_at + interval '${SUBSCRIPTION_GRACE_DAYS} days' > now()`);

export const findSlotSubscriptions = statement(
  z.strictObject({
    id: z.int(),
    plan: z.string(),
    endsAt: z.date(),
    slotCount: z.int(),
    usedSlotCount: z.int(),
    isTrial: z.boolean(),
  }),
)<{ userId: number }>`
  ${SLOT_SUBSCRIPTIONS_QUERY} and s.user_id = ${(input) => input.userId} order by s.ends_at, s.id`;

/** Row locks. Lock the account first. */
export const lockSubscriptions = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from subscriptions where user_id = ${(input) => input.userId} order by id for update`;

/**
 * Locks the subscriptions, and before them owner and parent in share mode, because a trigger copies the
 * reseller of one to the new site.
 */
export const lockSlotsAndOwner = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  with owner as materialized (
    select id from users
     where id in (${(input) => input.userId}, (select parent_user_id from users where id = ${(input) => input.userId}))
     order by id for share)
  select id from subscriptions where user_id = ${(input) => input.userId} and (select count(*) from owner) > 0
   order by id for update`;

/** One year later on Turkey's calendar: 29 February becomes 28 February. */
const addYearSql = (column: string) =>
  `(${column} at time zone 'Europe/Istanbul' + interval '1 year') at time zone 'Europe/Istanbul'`;
const [YEAR_FROM_NOW, YEAR_AFTER_PERIOD] = [
  new Fragment(addYearSql("now()")),
  new Fragment(addYearSql("l.period_end")),
];

/** SQL, because the creation of a site has only `sql` in its transaction, not `db`. */
export const insertLicence = statement(z.strictObject({ id: z.int(), periodEnd: z.date() }))<{
  userId: number;
  siteId: number;
}>`
  insert into site_licences (site_id, user_id, price_try, period_start, period_end, pay_by, domains)
  select id, ${(input) => input.userId}, ${() => SITE_LICENCE_PRICE_TRY}, now(),
         ${YEAR_FROM_NOW}, now() + make_interval(days => ${() => LICENCE_PAYMENT_DAYS}), array[domain]
    from sites where id = ${(input) => input.siteId}
  returning id, period_end as "periodEnd"`;

/** Row locks on pending licences of own sites, including those that a reseller opened. */
export const lockPendingLicenceRows = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select l.id from site_licences l join sites s on s.id = l.site_id
   where l.status = 'pending' and s.deleted_at is null
     and s.user_id = ${(input) => input.userId}
   order by l.id for update of l`;

/** Reopens only licences whose year is not over and whose site still has the subscription. */
export const reopenAbsorbedLicences = statement(z.strictObject({ id: z.int() }))<{ subscriptionId: number }>`
  update site_licences l
     set status = 'pending', closed_reason = null, absorbed_by_id = null,
         pay_by = greatest(l.pay_by, now() + make_interval(days => ${() => LICENCE_PAYMENT_DAYS}))
    from sites s
   where s.id = l.site_id and s.subscription_id = l.absorbed_by_id and s.deleted_at is null
     and l.absorbed_by_id = ${(input) => input.subscriptionId}
     and l.status = 'absorbed' and l.paid_at is null and l.period_end > now()
  returning l.id`;

/** True if licence `l` continues a paid year. */
const IS_RENEWAL_SQL = `exists (select from site_licences paid
                  where paid.site_id = l.site_id and paid.paid_at is not null and paid.period_end = l.period_start)`;

/**
 * Returns the oldest licence to pay before a site is created: each has used its time to pay. A site that
 * still has the domain does not count, because then the domain is taken.
 */
export const findDebt = statement(
  z.strictObject({ reference: z.string(), priceTry: z.int(), domain: z.string().nullable() }),
)<AccountInput & { domain: string }>`
  select l.reference, l.price_try as "priceTry",
         case when s.deleted_at is null then s.domain else l.domains[array_upper(l.domains, 1)] end as domain
    from site_licences l join sites s on s.id = l.site_id
   where l.user_id = ${(input) => input.userId} and l.status = 'pending'
     and (s.deleted_at is not null
       or (not ${new Fragment(IS_RENEWAL_SQL)} and s.domain <> ${(input) => input.domain}
         and (l.pay_by <= now() or ${(input) => input.domain} = any(l.domains))))
   order by l.pay_by, l.id limit 1`;

/**
 * True if licence `l` ends when its site `s` is deleted: a paid licence, or a pending one that is not due and
 * is a renewal or whose site has a slot. Any other first licence stays a debt until it is paid or waived.
 */
const ENDS_WITH_SITE_SQL = new Fragment(`
  (l.status = 'active'
    or (l.status = 'pending' and l.pay_by > now() and (s.subscription_id is not null or ${IS_RENEWAL_SQL})))`);

export const closeLicencesOfSites = statement(z.never())<{ siteIds: readonly number[]; reason: string }>`
  update site_licences l set status = 'cancelled', closed_reason = ${(input) => input.reason}
    from sites s
   where s.id = l.site_id and l.site_id = any(${(input) => [...input.siteIds]}::int[]) and ${ENDS_WITH_SITE_SQL}`;

/** Pending licences that {@link closeLicencesOfSites} would not close. */
export const findLicencesOutlivingSite = statement(z.strictObject({ id: z.int() }))<{ siteId: number }>`
  select l.id from site_licences l join sites s on s.id = l.site_id
   where l.site_id = ${(input) => input.siteId} and l.status = 'pending' and not ${ENDS_WITH_SITE_SQL}`;

/** True if licence `l` pays for its site now; the same rule as `whereLicenceCoversSiteAt`. */
export const LICENCE_COVERS_SITE_SQL = new Fragment(`
  ((l.status = 'active' and l.period_start <= now() and l.period_end > now())
    or (l.status = 'pending' and l.pay_by > now()))`);

/* The database clock decides. Each update requires the previous state, so a second run changes nothing. */

/** True if licence `l` of site `s` needs a next year. An absorbed year does not count: its subscription has ended. */
const WITHOUT_NEXT_YEAR = new Fragment(`
     and s.subscription_id is null and s.deleted_at is null
     and not exists (select 1 from site_licences n where n.site_id = l.site_id and n.period_start >= l.period_end and n.status <> 'absorbed')`);

const FROM_RENEWABLE_LICENCES = new Fragment(`
  from site_licences l join sites s on s.id = l.site_id
   where l.status = 'active' and l.period_end <= now() + interval '${RENEWAL_LEAD_DAYS} days' ${WITHOUT_NEXT_YEAR.text}`);

/** Active sites for which nothing pays. A paid year that has not begun does not pay yet. */
const FROM_UNPAID_SITES = new Fragment(`
  from site_licences l join sites s on s.id = l.site_id
   where ((l.status = 'pending' and l.pay_by <= now()) or l.status = 'expired')
     and s.subscription_id is null and s.is_active
     and not exists (select 1 from site_licences n
                      where n.site_id = l.site_id
                        and ((n.status = 'active' and n.period_start <= now()) or (n.status = 'pending' and n.pay_by > now())))`);

/** True for renewals unpaid for too long. A first licence stays a debt, because the account confirmed it. */
const IS_ABANDONED_RENEWAL_SQL = new Fragment(`
  l.status = 'pending' and l.pay_by <= now() - interval '${RENEWAL_ABANDONED_DAYS} days' and ${IS_RENEWAL_SQL}`);

export const findHoldersToAdvance = statement(z.strictObject({ userId: z.int() }))`
  select user_id as "userId" from site_licences where status = 'active' and period_end <= now()
  union select l.user_id from site_licences l where ${IS_ABANDONED_RENEWAL_SQL}
  union select l.user_id ${FROM_UNPAID_SITES} union select l.user_id ${FROM_RENEWABLE_LICENCES} order by 1`;

/** Opens the next year, which starts where this one ends. Two concurrent jobs open only one. */
export const openRenewals = statement(z.strictObject({ id: z.int(), siteId: z.int() }))<AccountInput>`
  insert into site_licences (site_id, user_id, price_try, period_start, period_end, pay_by, domains)
  select l.site_id, l.user_id, ${() => SITE_LICENCE_PRICE_TRY}, l.period_end, ${YEAR_AFTER_PERIOD},
         greatest(l.period_end, now() + make_interval(days => ${() => LICENCE_PAYMENT_DAYS})), array[s.domain]
  ${FROM_RENEWABLE_LICENCES} and l.user_id = ${(input) => input.userId}
  on conflict do nothing returning id, site_id as "siteId"`;

export const expireLicences = statement(z.strictObject({ id: z.int() }))<AccountInput>`
  update site_licences set status = 'expired'
   where user_id = ${(input) => input.userId} and status = 'active' and period_end <= now() returning id`;

export const abandonLicences = statement(z.strictObject({ id: z.int() }))<AccountInput>`
  update site_licences l set status = 'cancelled', closed_reason = 'unpaid'
   where l.user_id = ${(input) => input.userId} and ${IS_ABANDONED_RENEWAL_SQL} returning id`;

/** Locks unpaid sites and returns each with its licences, the one to pay first. */
export const lockUnpaidSites = statement(z.strictObject({ id: z.int(), licenceId: z.int() }))<AccountInput>`
  select s.id, l.id as "licenceId" ${FROM_UNPAID_SITES} and l.user_id = ${(input) => input.userId}
   order by s.id, l.status = 'pending' desc, l.id desc for update of s`;

export const transferLicences = statement(z.strictObject({ id: z.int() }))<{
  /** Null for all owners. */
  ownerId: number | null;
  /** Null for all payers. */
  payerId: number | null;
  remainingPayerIds: readonly number[];
  /** True to keep licences for sites of the payer's own sub-accounts. */
  keepsSubAccountLicences: boolean;
}>`
  update site_licences l set user_id = s.user_id
    from sites s join users owner on owner.id = s.user_id
   where s.id = l.site_id and s.user_id <> l.user_id and s.deleted_at is null and l.status in ('pending', 'active')
     and s.user_id = coalesce(${(input) => input.ownerId}::int, s.user_id)
     and l.user_id = coalesce(${(input) => input.payerId}::int, l.user_id)
     and l.user_id <> all (${(input) => [...input.remainingPayerIds]}::int[])
     and (owner.parent_user_id is distinct from l.user_id or not ${(input) => input.keepsSubAccountLicences}::boolean)
  returning l.id`;

const DueFigures = z.strictObject({ bucket: z.int(), licences: z.int(), amount: z.number() });

/**
 * Unpaid licences at their deadline, overdue ones now, and renewals of active ones at their end, as
 * {@link openRenewals} will open them. The amount is in minor units.
 */
export const sumDueLicences = statement(DueFigures)<AccountInput & { limits: Date[] }>`
  with due as (
    select greatest(pay_by, now()) as at, price_try from site_licences
     where user_id = ${({ userId }) => userId} and status = 'pending'
     union all
    select greatest(l.period_end, now()), ${() => SITE_LICENCE_PRICE_TRY}::int
      from site_licences l join sites s on s.id = l.site_id
     where l.user_id = ${({ userId }) => userId} and l.status = 'active' ${WITHOUT_NEXT_YEAR})
  select ${bucketSql("at")} as bucket, count(*)::int as licences, sum(price_try * 100::bigint)::float8 as amount
    from due where ${inLimitsSql("at")}
   group by 1`;
