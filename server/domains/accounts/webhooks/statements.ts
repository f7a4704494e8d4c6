import * as z from "zod";
import {
  Fragment,
  isoMicrosSql,
  type SqlPart,
  sqlPart,
  statement,
} from "@/server/infrastructure/database/statement";
import { intervalsSql } from "@/server/infrastructure/series/lines";
import type { WebhookEventType } from "./contract";

/**
 * Inserts the events of `cause` (id, type, body, owner_id, own, at) that have an audience: active accounts
 * with a subscribed endpoint, of owner, administrators and, unless `own`, the owner's parent and resellers.
 */
const insertEventsSql = <Input>(cause: SqlPart<Input>) => sqlPart<Input>`
    insert into webhook_events (id, type, body, audience, created_at)
    select cause.id, type, body, recipients.audience, at
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
          and exists (select from users a where a.id = e.user_id and a.is_active)) recipients
     where recipients.audience is not null
    returning id`;

/** `rowsSql` selects `owner_id`, `at` and JSON `data`. The caller schedules the fan-out of the events. */
export const emitWebhookEventsSql = ({ type, rowsSql }: { type: WebhookEventType; rowsSql: string }) =>
  insertEventsSql(sqlPart<{ eventId: string }>`
    select ${({ eventId }) => eventId} as id, ${new Fragment(`'${type}'`)} as type, owner_id, false as own, at,
           json_build_object('type', ${new Fragment(`'${type}'`)}, 'timestamp', ${new Fragment(isoMicrosSql("at"))}, 'data', data)::text as body
      from (${new Fragment(rowsSql)}) subject`);

const markFannedOutSql = (eventsTable: string) =>
  new Fragment(`update webhook_events v set fanned_at = now() from ${eventsTable} e where v.id = e.id`);

export interface NewEvent {
  id: string;
  type: string;
  body: string;
  ownerId: number | null;
  isOwnerOnly: boolean;
  at: Date;
}

/** Inserts an event and queues its fan-out, in one statement: most events have no endpoint. */
export const insertEvent = statement(z.strictObject({ id: z.string() }))<NewEvent>`
  with event as (${insertEventsSql(sqlPart<NewEvent>`
    select ${(input) => input.id} as id, ${(input) => input.type} as type, ${(input) => input.body} as body,
           ${(input) => input.ownerId}::int as owner_id, ${(input) => input.isOwnerOnly}::boolean as own,
           ${(input) => input.at}::timestamptz as at`)})
  select event.id from event cross join lateral graphile_worker.add_job('fan_out_webhook') as job`;

export const deleteEvents = statement(z.strictObject({ id: z.string() }))<{ days: number; limit: number }>`
  delete from webhook_events
   where id in (select id from webhook_events where created_at < now() - make_interval(days => ${(input) => input.days})
                 order by created_at limit ${(input) => input.limit})
  returning id`;

/** Locks an endpoint. Lock order: before its deliveries, which only change under this lock. */
export const lockEndpoint = statement(z.strictObject({ id: z.int(), userId: z.int() }))<{ id: number }>`
  select id, user_id as "userId" from webhook_endpoints where id = ${(input) => input.id} for no key update`;

/** Inserts deliveries for waiting events. Skips events that another process is fanning out. Idempotent. */
export const fanOutEvents = statement(z.strictObject({ eventCount: z.int(), deliveryCount: z.int() }))<{
  limit: number;
}>`
  with event as (
         select id, type, audience, created_at from webhook_events where fanned_at is null
          order by created_at, id limit ${(input) => input.limit} for no key update skip locked),
       target as (
         select e.id, event.id as event_id, event.created_at
           from event join webhook_endpoints e on e.user_id = any(event.audience)
          where e.disabled_reason is null and (e.events = '{}' or event.type = any(e.events))
          order by e.id, event.id for key share of e),
       inserted as (
         insert into webhook_deliveries (endpoint_id, event_id, next_at, created_at)
         select id, event_id, now(), created_at from target
         on conflict do nothing returning id),
       marked as (${markFannedOutSql("event")})
  select (select count(*) from event)::int as "eventCount", (select count(*) from inserted)::int as "deliveryCount"`;

const DELIVERABLE_ENDPOINT_SQL =
  new Fragment(`e.disabled_reason is null and coalesce(e.paused_until, '-infinity') <= now()
   and exists (select from users u where u.id = e.user_id and u.is_active)`);

const bytes = z.instanceof(Buffer<ArrayBuffer>);

const ClaimedDelivery = z.strictObject({
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
export type ClaimedDelivery = z.output<typeof ClaimedDelivery>;

const MAX_CLAIMS_PER_ENDPOINT = 4;

/** Few per endpoint: a hanging endpoint delays no other. A claim lasts 40 s, longer than `TIMEOUTS_MS`. */
export const claimDueDeliveries = statement(ClaimedDelivery)<{ limit: number }>`
  with due as (
    select d.id, d.next_at from webhook_endpoints e
     cross join lateral (
       select d.id, d.next_at from webhook_deliveries d
        where d.endpoint_id = e.id and d.state = 'waiting' and d.next_at <= now()
          and coalesce(d.claimed_until, '-infinity') <= now()
        order by d.next_at, d.id
        limit greatest(0, ${() => MAX_CLAIMS_PER_ENDPOINT}::int - (select count(*) from webhook_deliveries busy
                                              where busy.endpoint_id = e.id and busy.state = 'waiting' and busy.claimed_until > now()))
          for update of d skip locked) d
     where ${DELIVERABLE_ENDPOINT_SQL}
     order by d.next_at, d.id limit ${(input) => input.limit}),
  taken as (
    update webhook_deliveries d set claimed_until = now() + interval '40 seconds' from due where d.id = due.id
    returning d.id, d.endpoint_id, d.event_id, d.attempts)
  select taken.id, endpoint_id as "endpointId", attempts, e.url, e.secret_sealed as "secretSealed",
         e.old_secret_sealed as "oldSecretSealed", e.old_secret_until as "oldSecretUntil", event_id as "eventId", v.body
    from taken join webhook_endpoints e on e.id = endpoint_id join webhook_events v on v.id = event_id`;

export const findNextDueTime = statement(z.strictObject({ at: z.date().nullable() }))`
  select min(greatest(d.next_at, d.claimed_until, e.paused_until)) as at
    from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
   where d.state = 'waiting' and e.disabled_reason is null
     and exists (select from users u where u.id = e.user_id and u.is_active)`;

export interface AttemptOutcome {
  deliveryId: number;
  endpointId: number;
  /** URL of this attempt. If the endpoint has a new URL, the result does not count for it. */
  url: string;
  /** Number of attempts when claimed. A failure of an outdated claim does not change the delivery. */
  attemptCount: number;
  status: number | null;
  failure: string | null;
  durationMs: number;
  nextAt: Date | null;
  pausedUntil: Date | null;
  isGone: boolean;
  limits: { notifyDays: number; disableDays: number; minFailures: number };
}

/**
 * A success always counts, a failure only while its claim is the latest. A job mails the owner: mailing here
 * could deadlock with an erasure, which holds the account and waits for this endpoint.
 */
export const recordAttempt = statement(
  z.strictObject({ id: z.int(), isNotified: z.boolean() }),
)<AttemptOutcome>`
  with endpoint as (
         select id, disabled_reason, failures + 1 as failures, coalesce(failing_since, now()) as since, told_at,
                url = ${(input) => input.url} as is_same_url
           from webhook_endpoints where id = ${(input) => input.endpointId} for no key update),
       delivery as (
         select d.id, d.state, d.attempts from webhook_deliveries d join endpoint on endpoint.id = d.endpoint_id
          where d.id = ${(input) => input.deliveryId} for no key update of d),
       new_attempt as (
         insert into webhook_attempts (delivery_id, status, failure, duration)
         select id, ${(input) => input.status}::int, ${(input) => input.failure}, ${(input) => input.durationMs}::int from delivery),
       verdict as (
         select id, failures, since, is_same_url,
                case when ${(input) => input.failure}::text is null or disabled_reason is not null then null
                     when ${(input) => input.isGone}::boolean and is_same_url then 'gone'
                     when since < now() - make_interval(days => ${(input) => input.limits.disableDays}::int)
                          and failures >= ${(input) => input.limits.minFailures}::int then 'failing' end as disable_reason,
                ${(input) => input.failure}::text is not null and disabled_reason is null and told_at is null
                  and since < now() - make_interval(days => ${(input) => input.limits.notifyDays}::int) as must_notify
           from endpoint),
       updated_delivery as (
         update webhook_deliveries d
            set attempts = d.attempts + 1, claimed_until = null,
                state = case when ${(input) => input.failure}::text is null then 'delivered'
                             when verdict.disable_reason is not null then 'cancelled'
                             when ${(input) => input.nextAt}::timestamptz is null then 'failed' else 'waiting' end,
                delivered_at = case when ${(input) => input.failure}::text is null then now() end,
                next_at = case when ${(input) => input.failure}::text is null or verdict.disable_reason is not null
                                 or ${(input) => input.nextAt}::timestamptz is null then null
                               when is_same_url then ${(input) => input.nextAt}::timestamptz else now() end
           from delivery, verdict
          where d.id = delivery.id
            and case when ${(input) => input.failure}::text is null then d.state <> 'delivered'
                     else d.state = 'waiting' and d.attempts = ${(input) => input.attemptCount}::int end),
       cancelled as (
         update webhook_deliveries d set state = 'cancelled', next_at = null, claimed_until = null
           from verdict where verdict.disable_reason is not null and d.endpoint_id = verdict.id and d.state = 'waiting'
            and d.id <> ${(input) => input.deliveryId}),
       updated_endpoint as (
         update webhook_endpoints e
            set failures = case when ${(input) => input.failure}::text is null then 0 else verdict.failures end,
                failing_since = case when ${(input) => input.failure}::text is null then null else verdict.since end,
                told_at = case when ${(input) => input.failure}::text is null then null
                               when verdict.must_notify then now() else e.told_at end,
                paused_until = case when ${(input) => input.failure}::text is null then null
                                    else greatest(e.paused_until, ${(input) => input.pausedUntil}::timestamptz) end,
                last_ok_at = case when ${(input) => input.failure}::text is null then now() else e.last_ok_at end,
                disabled_reason = coalesce(e.disabled_reason, verdict.disable_reason)
           from verdict where e.id = verdict.id and is_same_url)
  select id,
         case when disable_reason is not null or must_notify then (
           select job.id from graphile_worker.add_job(
             'tell_webhook', json_build_object('endpointId', verdict.id, 'news', coalesce(disable_reason, 'failures'))) as job) end is not null as "isNotified"
    from verdict`;

/** Cancels waiting deliveries. Lock the endpoint first. */
export const cancelWaitingDeliveries = statement(z.never())<{ endpointId: number }>`
  update webhook_deliveries set state = 'cancelled', next_at = null, claimed_until = null
   where endpoint_id = ${(input) => input.endpointId} and state = 'waiting'`;

/** Makes waiting deliveries due now, after a change of the URL. Lock the endpoint first. */
export const makeWaitingDeliveriesDue = statement(z.never())<{ endpointId: number }>`
  update webhook_deliveries set next_at = least(next_at, now())
   where endpoint_id = ${(input) => input.endpointId} and state = 'waiting'`;

/** Queues a delivery again with all attempts; a waiting one is only made due now. Lock the endpoint first. */
export const replayOneDelivery = statement(z.strictObject({ id: z.int() }))<{ id: number }>`
  update webhook_deliveries
     set state = 'waiting', next_at = now(), delivered_at = null,
         attempts = case when state = 'waiting' then attempts else 0 end,
         claimed_until = case when state = 'waiting' then claimed_until end
   where id = ${(input) => input.id} returning id`;

/** Queues all deliveries again that failed or were cancelled since a time. Lock the endpoint first. */
export const replayFailedDeliveries = statement(z.strictObject({ count: z.int() }))<{
  endpointId: number;
  since: Date;
}>`
  with replayed as (
    update webhook_deliveries set state = 'waiting', next_at = now(), attempts = 0, claimed_until = null
     where endpoint_id = ${(input) => input.endpointId} and state in ('failed', 'cancelled')
       and created_at >= ${(input) => input.since}::timestamptz
    returning id)
  select count(*)::int as count from replayed`;

const DeliveryCounts = z.strictObject({
  bucket: z.int(),
  delivered: z.int(),
  retried: z.int(),
  waiting: z.int(),
  failed: z.int(),
});

/** An account may have 100,000 deliveries, so each interval is counted in the index. */
export const countDeliveriesByState = statement(DeliveryCounts)<{
  userId: number;
  endpointId: number | null;
  limits: Date[];
}>`
  select i.bucket, counted.* from ${intervalsSql} cross join lateral (
  select count(*) filter (where d.state = 'delivered' and d.attempts <= 1)::int as delivered,
         count(*) filter (where d.state = 'delivered' and d.attempts > 1)::int as retried,
         count(*) filter (where d.state = 'waiting')::int as waiting,
         count(*) filter (where d.state in ('failed', 'cancelled'))::int as failed
    from webhook_deliveries d
   where d.endpoint_id = any(array(select id from webhook_endpoints
                                    where user_id = ${({ userId }) => userId}
                                      and id = coalesce(${({ endpointId }) => endpointId}, id)))
     and d.created_at >= i.at and d.created_at < i.until) counted`;
