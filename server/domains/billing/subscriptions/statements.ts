import * as z from "zod";
import { SUBSCRIPTION_GRACE_DAYS } from "@/server/domains/sites/slots/contract";
import { Fragment, statement } from "@/server/infrastructure/database/statement";

interface AccountInput {
  userId: number;
}

/* The database's clock decides, as for slots. Updates require the old state: concurrent runs are safe. */

const ORDER_LAPSED = new Fragment("status = 'pending' and ends_at <= now()");
const PERIOD_ENDED = new Fragment("status = 'active' and ends_at <= now()");
const PAST_DUE_GRACE_ENDED = new Fragment(
  `status = 'past_due' and ends_at + interval '${SUBSCRIPTION_GRACE_DAYS} days' <= now()`,
);

/** Includes `active`: after an outage, one run ends both the period and the grace period. */
const ANY_GRACE_ENDED = new Fragment(
  `status in ('active', 'past_due') and ends_at + interval '${SUBSCRIPTION_GRACE_DAYS} days' <= now()`,
);

const DueAccount = z.strictObject({
  userId: z.int(),
  hasLapsedOrders: z.boolean(),
  hasEndedPeriods: z.boolean(),
  hasEndedGrace: z.boolean(),
});
export type DueAccount = z.output<typeof DueAccount>;

export const findDueAccounts = statement(DueAccount)`
  select user_id as "userId", bool_or(${ORDER_LAPSED}) as "hasLapsedOrders", bool_or(${PERIOD_ENDED}) as "hasEndedPeriods", bool_or(${ANY_GRACE_ENDED}) as "hasEndedGrace"
    from subscriptions where (${ORDER_LAPSED}) or (${PERIOD_ENDED}) or (${PAST_DUE_GRACE_ENDED}) group by user_id order by 1`;

/** Records a notice and returns its data in one round trip; returns no row if it was sent before. */
export const recordNotice = statement(
  z.strictObject({
    userId: z.int(),
    plan: z.string(),
    endsAt: z.date(),
    reference: z.string(),
    price: z.int(),
    currency: z.string(),
    isTrial: z.boolean(),
    planId: z.int(),
    isPlanOffered: z.boolean(),
  }),
)<{ id: number; kind: string }>`
  with noted as (
    insert into subscription_notices (subscription_id, kind) values (${(input) => input.id}, ${(input) => input.kind})
    on conflict do nothing returning subscription_id)
  select s.user_id as "userId", s.plan_name as plan, s.ends_at as "endsAt", s.reference, p.price, p.currency,
         s.is_trial as "isTrial", p.id as "planId", p.is_active and p.eligible as "isPlanOffered"
    from noted join subscriptions s on s.id = noted.subscription_id join subscription_plans p on p.id = s.plan_id`;

const ChangedRow = z.strictObject({ id: z.int() });

export const lapseOrders = statement(
  z.strictObject({ id: z.int(), plan: z.string(), reference: z.string() }),
)<AccountInput>`
  update subscriptions set status = 'cancelled', closed_reason = 'lapsed'
   where user_id = ${(input) => input.userId} and ${ORDER_LAPSED} returning id, plan_name as plan, reference`;

export const endPeriods = statement(ChangedRow)<AccountInput>`
  update subscriptions set status = 'past_due'
   where user_id = ${(input) => input.userId} and ${PERIOD_ENDED} returning id`;

export const expireSubscriptions = statement(ChangedRow)<AccountInput>`
  update subscriptions set status = 'expired'
   where user_id = ${(input) => input.userId} and ${PAST_DUE_GRACE_ENDED} returning id`;

/** Serialises changes of plans: names stay unique, and activations never read a half-changed plan. */
export const lockPlans = statement(ChangedRow)`select id from subscription_plans order by id for update`;

/** Compares stored counters with their rows. `actualValue`: sum of credits or number of sites in the rows. */
export const findLedgerDifferences = statement(
  z.strictObject({ table: z.string(), id: z.int(), storedValue: z.int(), actualValue: z.int() }),
)`
  select 'users' as "table", u.id, u.credits as "storedValue", coalesce(sum(e.amount), 0)::int as "actualValue"
    from users u left join credit_entries e on e.user_id = u.id group by u.id having u.credits <> coalesce(sum(e.amount), 0)
  union all
  select 'subscriptions', s.id, s.used_slots, count(site.id)::int
    from subscriptions s left join sites site on site.subscription_id = s.id
   group by s.id having s.used_slots <> count(site.id)
   order by 1, 2 limit 100`;
