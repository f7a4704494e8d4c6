import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** By the clock of the database, which all processes share: one of them fetches a token, for half a minute at most. */
export const chooseRefresher = statement(
  z.strictObject({ refreshSealed: z.instanceof(Uint8Array).nullable() }),
)`
  update accounting_access set refreshing_until = now() + interval '30 seconds'
   where id = 1 and (refreshing_until is null or refreshing_until < now())
  returning refresh_sealed as "refreshSealed"`;

/**
 * Lets so many calls through, all or none, if with those of the last seconds there are no more than the limit: in any such
 * span, and not in one after the other. The row's lock makes it exact over all processes, by the clock of the database.
 */
export const letThrough = statement(z.strictObject({ id: z.int() }))<{
  calls: number;
  limit: number;
  seconds: number;
}>`
  update accounting_access
     set called_at = array(select at from unnest(called_at) at
                            where at > clock_timestamp() - make_interval(secs => ${(given) => given.seconds}::int))
                     || array_fill(clock_timestamp(), array[${(given) => given.calls}::int])
   where id = 1 and ${(given) => given.calls}::int + (select count(*) from unnest(called_at) at
         where at > clock_timestamp() - make_interval(secs => ${(given) => given.seconds}::int)) <= ${(given) => given.limit}::int
  returning id`;

/** Nine times for each invoice: with Prisma an eighth of its processor time. */
export const insertCall = statement(z.never())<{
  documentId: number;
  step: string;
  call: string;
  status: number | null;
  outcome: string;
  detail: string | null;
  ms: number;
}>`
  insert into accounting_calls (document_id, step, call, status, outcome, detail, ms)
  values (${(given) => given.documentId}, ${(given) => given.step}::"DocumentState", ${(given) => given.call},
          ${(given) => given.status}::int, ${(given) => given.outcome}, ${(given) => given.detail}, ${(given) => given.ms})`;

/**
 * A set-based insert that Prisma cannot say: recorded payments without a row, such as a foreign import leaves them, get
 * one. Whoever comes second inserts nothing.
 */
export const insertMissing = statement(z.strictObject({ id: z.int() }))<{ vatRate: number; limit: number }>`
  insert into accounting_documents (payment_id, state, gross_minor, net_minor, vat_minor, vat_rate, currency, deadline_at)
  select p.id, 'queued', p.amount_minor, split.net, p.amount_minor - split.net, ${(given) => given.vatRate}::int, p.currency,
         ((p.paid_at + 8)::timestamp at time zone 'Europe/Istanbul') - interval '1 millisecond'
    from payments p
   cross join lateral (select floor((200 * p.amount_minor::bigint + 100 + ${(given) => given.vatRate}::int)
                                    / (2 * (100 + ${(given) => given.vatRate}::int)))::int as net) split
   where p.state = 'recorded' and not exists (select from accounting_documents d where d.payment_id = p.id)
   order by p.id limit ${(given) => given.limit}
  on conflict (payment_id) do nothing
  returning id`;

/** Row lock that only an erasure waits for, and that waits for one: nothing is mailed to somebody who is gone then. */
export const holdCustomer = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from users where id = ${(given) => given.userId} and anonymised_at is null for key share`;
