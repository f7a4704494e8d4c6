import * as z from "zod";
import { Fragment } from "@/server/infrastructure/database/sql";
import { statement } from "@/server/infrastructure/database/statement";

/**
 * Follows `with cause as (select … as id, … as type, … as body, … as owner_id, … as own, … as at),`: writes the event when an
 * endpoint may hear it; whoever sends this has its deliveries made. Those that hear it are its owner and the administrators, and unless it
 * is `own` the owner's parent and resellers; passive accounts hear nothing.
 */
export const NOTE_EVENT = new Fragment(`
  hearing as (
    select cause.id, array_agg(distinct e.user_id) as audience
      from cause
      left join users o on o.id = cause.owner_id
      left join users p on p.id = o.parent_user_id
      join webhook_endpoints e on e.user_id = any(
        array[o.id] || case when cause.own then '{}' else array[p.id, o.reseller_id, p.reseller_id] end
        || array(select id from users where role = 'admin'))
      join users a on a.id = e.user_id and a.is_active
     where e.disabled_reason is null and (e.events = '{}' or cause.type = any(e.events))
     group by cause.id),
  noted as (
    insert into webhook_events (id, type, body, audience, created_at)
    select id, type, body, audience, at from cause join hearing using (id) returning id)
  select noted.id from noted`);

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
  ${NOTE_EVENT} cross join lateral graphile_worker.add_job('fan_out_webhook') as job`;

/** Bounded, with what belongs to them. */
export const forgetEvents = statement(z.strictObject({ id: z.string() }))<{ days: number; limit: number }>`
  delete from webhook_events
   where id in (select id from webhook_events where created_at < now() - make_interval(days => ${(given) => given.days})
                 order by created_at limit ${(given) => given.limit})
  returning id`;
