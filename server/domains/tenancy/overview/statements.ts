import * as z from "zod";
import { STATES_WITHOUT_DEADLINE } from "@/server/domains/billing/accounting/contract";
import { Fragment, statement } from "@/server/infrastructure/database/statement";
import { DUE_INVOICE_DAYS } from "./policy";

const DUE_INVOICE_DAYS_SQL = new Fragment(String(DUE_INVOICE_DAYS));
const WITHOUT_DEADLINE_SQL = new Fragment(STATES_WITHOUT_DEADLINE.map((state) => `'${state}'`).join(", "));

/** The object `overview` of the contract. In SQL, because Prisma does not know the job queue's tables. */
export const countOpenTasks = statement(
  z.strictObject({
    no_bank: z.boolean(),
    no_legal_texts: z.boolean(),
    orders: z.int(),
    licences: z.int(),
    past_due: z.int(),
    failed_mails: z.int(),
    factor_resets: z.int(),
    failing_portals: z.int(),
    late_invoices: z.int(),
    due_invoices: z.int(),
    failed_invoices: z.int(),
    failed_jobs: z.int(),
    refused_sign_ups: z.int(),
  }),
)`
  select not exists (select from settings where key = 'bank' and value <> 'null') as no_bank,
         (select count(distinct key) from legal_texts where key in ('terms', 'privacy')) < 2 as no_legal_texts,
         (select count(*) from subscriptions where status = 'pending')::int as orders,
         (select count(*) from site_licences where status = 'pending')::int as licences,
         (select count(*) from subscriptions where status = 'past_due')::int as past_due,
         (select count(*) from mail_messages where state = 'failed' and created_at > now() - interval '1 day')::int
           as failed_mails,
         (select count(*) from admin_actions where kind = 'reset_two_factor' and state = 'waiting')::int as factor_resets,
         (select count(*) from reseller_portals where verified_at is not null and failing_since is not null)::int
           as failing_portals,
         (select count(*) from accounting_documents
           where state not in (${WITHOUT_DEADLINE_SQL}) and deadline_at < now())::int as late_invoices,
         (select count(*) from accounting_documents
           where state not in (${WITHOUT_DEADLINE_SQL}, 'failed') and deadline_at >= now()
             and deadline_at < now() + interval '${DUE_INVOICE_DAYS_SQL} days')::int as due_invoices,
         (select count(*) from accounting_documents where state = 'failed')::int as failed_invoices,
         (select count(*) from graphile_worker.jobs where attempts >= max_attempts and locked_at is null)::int as failed_jobs,
         (select count(*) from sign_up_refusals where at > now() - interval '1 day')::int as refused_sign_ups`;

export const readLastMonthFigures = statement(
  z.strictObject({ sign_ups: z.int(), sites: z.int(), revenueMinor: z.number() }),
)`
  select (select count(*) from users where created_at > now() - interval '30 days' and anonymised_at is null)::int as sign_ups,
         (select count(*) from sites where created_at > now() - interval '30 days' and deleted_at is null)::int as sites,
         (select coalesce(sum(amount_minor), 0) from payments
           where state = 'recorded' and currency = 'TRY' and paid_at > (now() at time zone 'Europe/Istanbul')::date - 30)::float8
           as "revenueMinor"`;

export const readResellerFigures = statement(
  z.strictObject({
    customers: z.int(),
    newCustomers: z.int(),
    licenceCount: z.int(),
    licencePriceTry: z.number(),
  }),
)<{ resellerId: number }>`
  select count(*)::int as customers,
         (count(*) filter (where created_at > now() - interval '30 days'))::int as "newCustomers",
         (select count(*) from site_licences where user_id = ${(input) => input.resellerId} and status = 'pending')::int
           as "licenceCount",
         (select coalesce(sum(price_try), 0) from site_licences
           where user_id = ${(input) => input.resellerId} and status = 'pending')::float8 as "licencePriceTry"
    from users where reseller_id = ${(input) => input.resellerId} and anonymised_at is null`;
