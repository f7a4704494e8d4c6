import * as z from "zod";
import { Fragment, statement } from "@/server/infrastructure/database/statement";
import { bucketSql, intervalsSql } from "@/server/infrastructure/series/lines";
import { STATES_WITH_DEADLINE, STEP_STATES } from "./policy";

const toListSql = (states: readonly string[]) => new Fragment(states.map((state) => `'${state}'`).join(", "));
const WITH_DEADLINE_SQL = toListSql(STATES_WITH_DEADLINE);
const STEPS_SQL = toListSql(STEP_STATES);

/** Elects one process to fetch a token, for at most 30 seconds by the database's clock. */
export const lockTokenRefresh = statement(
  z.strictObject({ refreshSealed: z.instanceof(Uint8Array).nullable() }),
)`
  update accounting_access set refreshing_until = now() + interval '30 seconds'
   where id = 1 and (refreshing_until is null or refreshing_until < now())
  returning refresh_sealed as "refreshSealed"`;

/** Reserves `callCount` calls or none. The row lock and the database's clock make it exact for all. */
export const reserveCallSlots = statement(z.strictObject({ id: z.int() }))<{
  callCount: number;
  limit: number;
  seconds: number;
}>`
  update accounting_access
     set called_at = array(select at from unnest(called_at) at
                            where at > clock_timestamp() - make_interval(secs => ${(input) => input.seconds}::int))
                     || array_fill(clock_timestamp(), array[${(input) => input.callCount}::int])
   where id = 1 and ${(input) => input.callCount}::int + (select count(*) from unnest(called_at) at
         where at > clock_timestamp() - make_interval(secs => ${(input) => input.seconds}::int)) <= ${(input) => input.limit}::int
  returning id`;

/** Raw SQL for speed: runs nine times per invoice, and Prisma used an eighth of the CPU time. */
export const insertCallRecord = statement(z.never())<{
  documentId: number;
  step: string;
  call: string;
  status: number | null;
  outcome: string;
  detail: string | null;
  ms: number;
}>`
  insert into accounting_calls (document_id, step, call, status, outcome, detail, ms)
  values (${(input) => input.documentId}, ${(input) => input.step}::"DocumentState", ${(input) => input.call},
          ${(input) => input.status}::int, ${(input) => input.outcome}, ${(input) => input.detail}, ${(input) => input.ms})`;

/** Safe to run concurrently. The net amount and the deadline repeat `splitVat` and `recordPayment`. */
export const insertMissingDocuments = statement(z.strictObject({ id: z.int() }))<{
  vatRate: number;
  limit: number;
}>`
  insert into accounting_documents (payment_id, state, gross_minor, net_minor, vat_minor, vat_rate, currency, deadline_at)
  select p.id, 'queued', p.amount_minor, split.net, p.amount_minor - split.net, ${(input) => input.vatRate}::int, p.currency,
         ((p.paid_at + 8)::timestamp at time zone 'Europe/Istanbul') - interval '1 millisecond'
    from payments p
   cross join lateral (select floor((200 * p.amount_minor::bigint + 100 + ${(input) => input.vatRate}::int)
                                    / (2 * (100 + ${(input) => input.vatRate}::int)))::int as net) split
   where p.state = 'recorded' and not exists (select from accounting_documents d where d.payment_id = p.id)
   order by p.id limit ${(input) => input.limit}
  on conflict (payment_id) do nothing
  returning id`;

/** Blocks the erasure of the account until the commit. Returns no row for an erased account. */
export const lockCustomerAgainstErasure = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from users where id = ${(input) => input.userId} and anonymised_at is null for key share`;

const InvoiceCounts = z.strictObject({
  bucket: z.int(),
  issued: z.int(),
  in_progress: z.int(),
  needs_attention: z.int(),
  skipped_or_cancelled: z.int(),
});

/** Counted per interval in an index; Prisma cannot group by an interval. */
export const countInvoicesByState = statement(InvoiceCounts)<{ limits: Date[] }>`
  select i.bucket, counted.* from ${intervalsSql} cross join lateral (
  select count(*) filter (where state = 'done')::int as issued,
         count(*) filter (where state in (${STEPS_SQL}))::int as in_progress,
         count(*) filter (where state in ('needs_data', 'failed'))::int as needs_attention,
         count(*) filter (where state in ('skipped', 'cancelling', 'cancelled'))::int as skipped_or_cancelled
    from accounting_documents where created_at >= i.at and created_at < i.until) counted`;

/** Bucket 0 is overdue: the deadline has passed, also that of an earlier time today. */
export const countInvoicesByDeadline = statement(
  z.strictObject({ bucket: z.int(), in_progress: z.int(), needs_attention: z.int() }),
)<{ limits: Date[] }>`
  select case when deadline_at < now() then 0 else ${bucketSql("deadline_at")} end as bucket,
         count(*) filter (where state in (${STEPS_SQL}))::int as in_progress,
         count(*) filter (where state in ('needs_data', 'failed'))::int as needs_attention
    from accounting_documents
   where state in (${WITH_DEADLINE_SQL})
   group by 1`;
