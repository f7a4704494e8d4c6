import * as z from "zod";
import { Fragment } from "@/server/infrastructure/database/sql";
import { statement } from "@/server/infrastructure/database/statement";

/**
 * Follows `with cause as (select … as id, … as type, … as body, … as owner_id, … as own, … as at),` as `told`: writes the
 * event when an endpoint may hear it; whoever sends this has its deliveries made. Those that hear it are its owner and the
 * administrators, and unless it is `own` the owner's parent and resellers; passive accounts hear nothing.
 */
export const NOTE_EVENT = new Fragment(`
  told as (
    insert into webhook_events (id, type, body, audience, created_at)
    select cause.id, type, body, hearing.audience, at
      from cause
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
    returning id)`);

/** Follows `event as (select id …),`, locked: their deliveries are made in this statement. */
export const MARK_FANNED = new Fragment(`
  marked as (update webhook_events v set fanned_at = now() from event where v.id = event.id)`);

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
  with cause as (select ${(given) => given.id} as id, ${(given) => given.type} as type, ${(given) => given.body} as body,
                        ${(given) => given.ownerId}::int as owner_id, ${(given) => given.own}::boolean as own,
                        ${(given) => given.at}::timestamptz as at),
  ${NOTE_EVENT}
  select told.id from told cross join lateral graphile_worker.add_job('fan_out_webhook') as job`;

/** Bounded, with what belongs to them. */
export const forgetEvents = statement(z.strictObject({ id: z.string() }))<{ days: number; limit: number }>`
  delete from webhook_events
   where id in (select id from webhook_events where created_at < now() - make_interval(days => ${(given) => given.days})
                 order by created_at limit ${(given) => given.limit})
  returning id`;
