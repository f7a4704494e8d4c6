import * as z from "zod";
import { Fragment } from "@/server/infrastructure/database/sql";
import { statement } from "@/server/infrastructure/database/statement";
import { GRACE_DAYS, LICENCE_PAYMENT_DAYS, SITE_LICENCE_PRICE_TRY } from "./contract";

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

/** Row lock: two creations cannot take one slot. */
export const lockSubscriptions = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from subscriptions where user_id = ${(given) => given.userId} order by id for update`;

/** In the creation of a site, whose transaction contains statements alone. */
export const insertLicence = statement(z.strictObject({ id: z.int(), periodEnd: z.date() }))<{
  userId: number;
  siteId: number;
}>`
  insert into site_licences (site_id, user_id, price_try, period_start, period_end, pay_by)
  values (${(given) => given.siteId}, ${(given) => given.userId}, ${() => SITE_LICENCE_PRICE_TRY}, now(),
          now() + interval '1 year', now() + make_interval(days => ${() => LICENCE_PAYMENT_DAYS}))
  returning id, period_end as "periodEnd"`;

/** Row lock over two tables: sites whose licence was not paid in time. */
export const lockUnpaid = statement(z.strictObject({ id: z.int() }))`
  select s.id from sites s join site_licences l on l.site_id = s.id
   where l.status = 'pending' and l.pay_by < now() and s.is_active order by s.id for update of s`;

/** Row lock: pending licences that an account opened, or that a reseller opened for a site of it. */
export const lockPending = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select l.id from site_licences l join sites s on s.id = l.site_id
   where l.status = 'pending' and s.deleted_at is null
     and (l.user_id = ${(given) => given.userId} or s.user_id = ${(given) => given.userId})
   order by l.id for update of l`;
