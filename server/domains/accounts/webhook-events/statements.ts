import * as z from "zod";
import { type Part, part } from "@/server/infrastructure/database/part";
import { Fragment, isoMicrosSql } from "@/server/infrastructure/database/sql";
import { statement } from "@/server/infrastructure/database/statement";
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
export const markFanned = (events: string) =>
  new Fragment(`update webhook_events v set fanned_at = now() from ${events} e where v.id = e.id`);

export interface NewEvent {
  id: string;
  type: string;
  body: string;
  ownerId: number | null;
  own: boolean;
  at: Date;
}

/** One statement, because most events are heard by nobody and must cost their cause next to nothing. */
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
