import * as z from "zod";
import {
  Fragment,
  isoMicrosSql,
  type Part,
  part,
  statement,
} from "@/server/infrastructure/database/statement";
import type { WebhookEventType } from "./contract";

/**
 * Inserts the events that `cause` selects (id, type, body, owner_id, own, at) and an endpoint may hear; returns their ids.
 * The audience is the owner, the administrators and, unless the event is `own`, the owner's parent and resellers; passive
 * accounts hear nothing.
 */
const insertHeard = <Given>(cause: Part<Given>) => part<Given>`
    insert into webhook_events (id, type, body, audience, created_at)
    select cause.id, type, body, hearing.audience, at
      from (${cause}) cause
     cross join lateral (
       select array_agg(distinct e.user_id) as audience from webhook_endpoints e
        where e.user_id = any(
                array[cause.owner_id]
                || array(select unnest(array[o.parent_user_id, o.reseller_id, p.reseller_id])
                           from users o left join users p on p.id = o.parent_user_id
                          where o.id = cause.owner_id and not cause.own)
                || array(select id from users where role = 'admin'))
          and e.disabled_reason is null and (e.events = '{}' or cause.type = any(e.events))
          and exists (select from users a where a.id = e.user_id and a.is_active)) hearing
     where hearing.audience is not null
    returning id`;

/**
 * SQL that writes the event for each row of `subject`, a `select` of `owner_id`, `at` and the JSON `data`: for a statement
 * that makes these rows. It returns the `id` of each event that an endpoint may hear; the caller then schedules the fan-out.
 */
export const emitRows = ({ type, subject }: { type: WebhookEventType; subject: string }) =>
  insertHeard(part<{ eventId: string }>`
    select ${({ eventId }) => eventId} as id, ${new Fragment(`'${type}'`)} as type, owner_id, false as own, at,
           json_build_object('type', ${new Fragment(`'${type}'`)}, 'timestamp', ${new Fragment(isoMicrosSql("at"))}, 'data', data)::text as body
      from (${new Fragment(subject)}) subject`);

/** Marks the events of a relation, which the statement has locked, as delivered to all endpoints. */
const markFanned = (events: string) =>
  new Fragment(`update webhook_events v set fanned_at = now() from ${events} e where v.id = e.id`);

export interface NewEvent {
  id: string;
  type: string;
  body: string;
  ownerId: number | null;
  own: boolean;
  at: Date;
}

/** One statement, because most events have no endpoint and must be cheap for their cause. */
export const noteEvent = statement(z.strictObject({ id: z.string() }))<NewEvent>`
  with event as (${insertHeard(part<NewEvent>`
    select ${(given) => given.id} as id, ${(given) => given.type} as type, ${(given) => given.body} as body,
           ${(given) => given.ownerId}::int as owner_id, ${(given) => given.own}::boolean as own,
           ${(given) => given.at}::timestamptz as at`)})
  select event.id from event cross join lateral graphile_worker.add_job('fan_out_webhook') as job`;

/** Bounded, with what belongs to them. */
export const forgetEvents = statement(z.strictObject({ id: z.string() }))<{ days: number; limit: number }>`
  delete from webhook_events
   where id in (select id from webhook_events where created_at < now() - make_interval(days => ${(given) => given.days})
                 order by created_at limit ${(given) => given.limit})
  returning id`;

/** Row lock, before what hangs on it: deliveries are changed under the lock of their endpoint. */
export const lockEndpoint = statement(z.strictObject({ id: z.int(), userId: z.int() }))<{ id: number }>`
  select id, user_id as "userId" from webhook_endpoints where id = ${(given) => given.id} for no key update`;

/**
 * Insert from what is there, once: endpoints that were deleted or switched off meanwhile get nothing. Events that somebody
 * else hands out at this moment are left to them.
 */
export const fanOut = statement(z.strictObject({ events: z.int(), deliveries: z.int() }))<{ limit: number }>`
  with event as (
         select id, type, audience, created_at from webhook_events where fanned_at is null
          order by created_at, id limit ${(given) => given.limit} for no key update skip locked),
       heard as (
         select e.id, event.id as event_id, event.created_at
           from event join webhook_endpoints e on e.user_id = any(event.audience)
          where e.disabled_reason is null and (e.events = '{}' or event.type = any(e.events))
          order by e.id, event.id for key share of e),
       made as (
         insert into webhook_deliveries (endpoint_id, event_id, next_at, created_at)
         select id, event_id, now(), created_at from heard
         on conflict do nothing returning id),
       marked as (${markFanned("event")})
  select (select count(*) from event)::int as events, (select count(*) from made)::int as deliveries`;

/** What may be sent now: its endpoint is on and asks for no patience, its account is active. */
const OPEN = new Fragment(`e.disabled_reason is null and coalesce(e.paused_until, '-infinity') <= now()
   and exists (select from users u where u.id = e.user_id and u.is_active)`);

const bytes = z.instanceof(Buffer<ArrayBuffer>);

/** A delivery that this caller sends, until `claimedUntil`. */
const Claimed = z.strictObject({
  id: z.int(),
  endpointId: z.int(),
  attempts: z.int(),
  url: z.string(),
  secretSealed: bytes,
  oldSecretSealed: bytes.nullable(),
  oldSecretUntil: z.date().nullable(),
  eventId: z.string(),
  body: z.string(),
});
export type Claimed = z.output<typeof Claimed>;

/** The most that are under way to one endpoint. */
const PER_ENDPOINT = 4;

/**
 * Taken by whoever changes the row, of each endpoint a few, the oldest first: one that hangs keeps nobody else waiting. The
 * claim ends by itself, long after an attempt would have ended.
 */
export const claimDue = statement(Claimed)<{ limit: number }>`
  with due as (
    select d.id, d.next_at from webhook_endpoints e
     cross join lateral (
       select d.id, d.next_at from webhook_deliveries d
        where d.endpoint_id = e.id and d.state = 'waiting' and d.next_at <= now()
          and coalesce(d.claimed_until, '-infinity') <= now()
        order by d.next_at, d.id
        limit greatest(0, ${() => PER_ENDPOINT}::int - (select count(*) from webhook_deliveries busy
                                              where busy.endpoint_id = e.id and busy.state = 'waiting' and busy.claimed_until > now()))
          for update of d skip locked) d
     where ${OPEN}
     order by d.next_at, d.id limit ${(given) => given.limit}),
  taken as (
    update webhook_deliveries d set claimed_until = now() + interval '40 seconds' from due where d.id = due.id
    returning d.id, d.endpoint_id, d.event_id, d.attempts)
  select taken.id, endpoint_id as "endpointId", attempts, e.url, e.secret_sealed as "secretSealed",
         e.old_secret_sealed as "oldSecretSealed", e.old_secret_until as "oldSecretUntil", event_id as "eventId", v.body
    from taken join webhook_endpoints e on e.id = endpoint_id join webhook_events v on v.id = event_id`;

/** When something is due that nobody sends yet; none: nothing waits. */
export const nextDue = statement(z.strictObject({ at: z.date().nullable() }))`
  select min(greatest(d.next_at, d.claimed_until, e.paused_until)) as at
    from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
   where d.state = 'waiting' and e.disabled_reason is null
     and exists (select from users u where u.id = e.user_id and u.is_active)`;

export interface Outcome {
  id: number;
  endpointId: number;
  /** Where it was sent: what another address answered says nothing of the endpoint. */
  url: string;
  /** As claimed: whoever comes later than another claim changes nothing but what it counts. */
  attempts: number;
  status: number | null;
  failure: string | null;
  duration: number;
  /** When it is tried again; null: it is over. */
  nextAt: Date | null;
  /** Until when the endpoint asked for patience. */
  pausedUntil: Date | null;
  /** It said that it is gone for good. */
  gone: boolean;
  limits: { notifyDays: number; offDays: number; failures: number };
}

/**
 * What came of an attempt, in one statement, under the lock of the endpoint: the attempt, the delivery, and what it says of the
 * endpoint. A success counts whatever happened meanwhile, a failure only while the claim is the latest. `told`: its owner hears of it,
 * by a job, because a mail asks for the account, which an erasure may hold that waits for this endpoint.
 */
export const finishAttempt = statement(z.strictObject({ id: z.int(), told: z.boolean() }))<Outcome>`
  with endpoint as (
         select id, disabled_reason, failures + 1 as failures, coalesce(failing_since, now()) as since, told_at,
                url = ${(given) => given.url} as same
           from webhook_endpoints where id = ${(given) => given.endpointId} for no key update),
       delivery as (
         select d.id, d.state, d.attempts from webhook_deliveries d join endpoint on endpoint.id = d.endpoint_id
          where d.id = ${(given) => given.id} for no key update of d),
       tried as (
         insert into webhook_attempts (delivery_id, status, failure, duration)
         select id, ${(given) => given.status}::int, ${(given) => given.failure}, ${(given) => given.duration}::int from delivery),
       verdict as (
         select id, failures, since, same,
                case when ${(given) => given.failure}::text is null or disabled_reason is not null then null
                     when ${(given) => given.gone}::boolean and same then 'gone'
                     when since < now() - make_interval(days => ${(given) => given.limits.offDays}::int)
                          and failures >= ${(given) => given.limits.failures}::int then 'failing' end as off,
                ${(given) => given.failure}::text is not null and disabled_reason is null and told_at is null
                  and since < now() - make_interval(days => ${(given) => given.limits.notifyDays}::int) as tell
           from endpoint),
       moved as (
         update webhook_deliveries d
            set attempts = d.attempts + 1, claimed_until = null,
                state = case when ${(given) => given.failure}::text is null then 'delivered'
                             when verdict.off is not null then 'cancelled'
                             when ${(given) => given.nextAt}::timestamptz is null then 'failed' else 'waiting' end,
                delivered_at = case when ${(given) => given.failure}::text is null then now() end,
                next_at = case when ${(given) => given.failure}::text is null or verdict.off is not null
                                 or ${(given) => given.nextAt}::timestamptz is null then null
                               when same then ${(given) => given.nextAt}::timestamptz else now() end
           from delivery, verdict
          where d.id = delivery.id
            and case when ${(given) => given.failure}::text is null then d.state <> 'delivered'
                     else d.state = 'waiting' and d.attempts = ${(given) => given.attempts}::int end),
       cancelled as (
         update webhook_deliveries d set state = 'cancelled', next_at = null, claimed_until = null
           from verdict where verdict.off is not null and d.endpoint_id = verdict.id and d.state = 'waiting'
            and d.id <> ${(given) => given.id}),
       counted as (
         update webhook_endpoints e
            set failures = case when ${(given) => given.failure}::text is null then 0 else verdict.failures end,
                failing_since = case when ${(given) => given.failure}::text is null then null else verdict.since end,
                told_at = case when ${(given) => given.failure}::text is null then null
                               when verdict.tell then now() else e.told_at end,
                paused_until = case when ${(given) => given.failure}::text is null then null
                                    else greatest(e.paused_until, ${(given) => given.pausedUntil}::timestamptz) end,
                last_ok_at = case when ${(given) => given.failure}::text is null then now() else e.last_ok_at end,
                disabled_reason = coalesce(e.disabled_reason, verdict.off)
           from verdict where e.id = verdict.id and same)
  select id,
         case when off is not null or tell then (
           select job.id from graphile_worker.add_job(
             'tell_webhook', json_build_object('endpointId', verdict.id, 'news', coalesce(off, 'failures'))) as job) end is not null as told
    from verdict`;

/** What a switched-off endpoint would have got. Under the lock of the endpoint. */
export const cancelWaiting = statement(z.never())<{ endpointId: number }>`
  update webhook_deliveries set state = 'cancelled', next_at = null, claimed_until = null
   where endpoint_id = ${(given) => given.endpointId} and state = 'waiting'`;

/** What waits as long as a former address failed or asked for is due now. Under the lock of the endpoint. */
export const hurryWaiting = statement(z.never())<{ endpointId: number }>`
  update webhook_deliveries set next_at = least(next_at, now())
   where endpoint_id = ${(given) => given.endpointId} and state = 'waiting'`;

/** Waits again with all its attempts to come; one that waits already is only hurried. Under the lock of the endpoint. */
export const replayOne = statement(z.strictObject({ id: z.int() }))<{ id: number }>`
  update webhook_deliveries
     set state = 'waiting', next_at = now(), delivered_at = null,
         attempts = case when state = 'waiting' then attempts else 0 end,
         claimed_until = case when state = 'waiting' then claimed_until end
   where id = ${(given) => given.id} returning id`;

/** The same for all that failed or were cancelled since. */
export const replayFailed = statement(z.strictObject({ count: z.int() }))<{
  endpointId: number;
  since: Date;
}>`
  with again as (
    update webhook_deliveries set state = 'waiting', next_at = now(), attempts = 0, claimed_until = null
     where endpoint_id = ${(given) => given.endpointId} and state in ('failed', 'cancelled')
       and created_at >= ${(given) => given.since}::timestamptz
    returning id)
  select count(*)::int as count from again`;
