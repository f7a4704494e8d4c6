import * as z from "zod";
import { GRACE_DAYS } from "@/server/domains/sites/slots/contract";
import { Fragment, statement } from "@/server/infrastructure/database/statement";

interface Given {
  userId: number;
}

/*
 * What becomes due with time, by the clock of the database, as slots are. Each statement names the state that it leaves:
 * an order that was activated meanwhile is not dropped, and whoever comes second changes nothing.
 */

const LAPSED = new Fragment("status = 'pending' and ends_at <= now()");
const OVER = new Fragment("status = 'active' and ends_at <= now()");
const PAST_GRACE = new Fragment(`status = 'past_due' and ends_at + interval '${GRACE_DAYS} days' <= now()`);

const WITHOUT_GRACE = new Fragment(
  `status in ('active', 'past_due') and ends_at + interval '${GRACE_DAYS} days' <= now()`,
);

const DueAccount = z.strictObject({
  userId: z.int(),
  /** What is over: orders, periods, and the days of grace after them. */
  orders: z.boolean(),
  periods: z.boolean(),
  grace: z.boolean(),
});
export type DueAccount = z.output<typeof DueAccount>;

/** By the database's clock: whose subscriptions need what. */
export const findDue = statement(DueAccount)`
  select user_id as "userId", bool_or(${LAPSED}) as orders, bool_or(${OVER}) as periods, bool_or(${WITHOUT_GRACE}) as grace
    from subscriptions where (${LAPSED}) or (${OVER}) or (${PAST_GRACE}) group by user_id order by 1`;

/**
 * Of three tables in one round trip, because the job tells hundreds in a row: notes a notice, and says what it needs.
 * Nothing when it was sent before.
 */
export const noteNotice = statement(
  z.strictObject({
    userId: z.int(),
    plan: z.string(),
    endsAt: z.date(),
    reference: z.string(),
    price: z.int(),
    currency: z.string(),
  }),
)<{ id: number; kind: string }>`
  with noted as (
    insert into subscription_notices (subscription_id, kind) values (${(given) => given.id}, ${(given) => given.kind})
    on conflict do nothing returning subscription_id)
  select s.user_id as "userId", s.plan_name as plan, s.ends_at as "endsAt", s.reference, p.price, p.currency
    from noted join subscriptions s on s.id = noted.subscription_id join subscription_plans p on p.id = s.plan_id`;

const Changed = z.strictObject({ id: z.int() });

/** By the database's clock. */
export const lapseOrders = statement(
  z.strictObject({ id: z.int(), plan: z.string(), reference: z.string() }),
)<Given>`
  update subscriptions set status = 'cancelled', closed_reason = 'lapsed'
   where user_id = ${(given) => given.userId} and ${LAPSED} returning id, plan_name as plan, reference`;

/** By the database's clock. */
export const endPeriods = statement(Changed)<Given>`
  update subscriptions set status = 'past_due'
   where user_id = ${(given) => given.userId} and ${OVER} returning id`;

/** By the database's clock. */
export const expireSubscriptions = statement(Changed)<Given>`
  update subscriptions set status = 'expired'
   where user_id = ${(given) => given.userId} and ${PAST_GRACE} returning id`;

/** Row locks: plans change one after the other, because two must not get one name; an activation reads none half-way. */
export const lockPlans = statement(Changed)`select id from subscription_plans order by id for update`;

/** Sums over two whole tables: what is counted as one goes must be what there is. */
export const findDifferences = statement(
  z.strictObject({ table: z.string(), id: z.int(), counted: z.int(), found: z.int() }),
)`
  select 'users' as "table", u.id, u.credits as counted, coalesce(sum(e.amount), 0)::int as found
    from users u left join credit_entries e on e.user_id = u.id group by u.id having u.credits <> coalesce(sum(e.amount), 0)
  union all
  select 'subscriptions', s.id, s.used_slots, count(site.id)::int
    from subscriptions s left join sites site on site.subscription_id = s.id
   group by s.id having s.used_slots <> count(site.id)
   order by 1, 2 limit 100`;
