import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { count, day, MAX_ID, queryInt, recordId, success, timestamp } from "@/server/core/schema";

import { DOCUMENT_STATES } from "./policy";

export { DOCUMENT_STATES, day };

const money = z.number().meta({ example: 9999 });
const currency = z.string().meta({ example: "TRY" });

/** Whose it is. */
const Customer = z
  .object({
    id: recordId,
    name: z.string().meta({ example: "Ayşe Kaya" }),
    email: z.string().meta({ example: "ayse@example.com" }),
  })
  .meta({ id: "Customer" });

export const SubscriptionRow = z
  .object({
    id: recordId,
    user_id: recordId,
    user: Customer,
    plan_id: recordId,
    plan: z.string().meta({ example: "Pro" }),
    status: z.enum(["pending", "active", "past_due", "expired", "cancelled"]).meta({ example: "active" }),
    /** Of one billing period of the plan, when it was bought. */
    price: money,
    currency,
    monthly_credits: z.int().meta({ example: 10_000 }),
    site_slots: z.int().meta({ example: 5 }),
    used_slots: z.int().meta({ example: 2 }),
    starts_at: timestamp,
    ends_at: timestamp,
    reference: z.string().meta({ example: "T01234569" }),
    closed_reason: z.string().nullable().meta({ example: null }),
    renews_subscription_id: recordId.nullable(),
    activated_by_id: recordId.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "SubscriptionRow" });

export const PaymentRow = z
  .object({
    id: recordId,
    user_id: recordId,
    user: Customer,
    method: z.string().meta({ example: "manual_transfer" }),
    state: z.enum(["recorded", "reversed"]).meta({ example: "recorded" }),
    amount: money,
    currency,
    /** A day in Turkey. */
    paid_at: z.string().meta({ example: "2027-11-20" }),
    bank_reference: z.string().nullable().meta({ example: "T01234569" }),
    note: z.string().nullable().meta({ example: null }),
    subscription_id: recordId.nullable(),
    licence_id: recordId.nullable().meta({ example: null }),
    has_receipt: z.boolean().meta({ example: false }),
    /** Number of its invoice among the invoices. */
    invoice_id: recordId.nullable(),
    /** State of its invoice. */
    invoice: z.enum(DOCUMENT_STATES).nullable().meta({ example: "queued" }),
    recorded_by_id: recordId.nullable(),
    reversed_by_id: recordId.nullable().meta({ example: null }),
    reversed_at: timestamp.nullable().meta({ example: null }),
    reverse_reason: z.string().nullable().meta({ example: null }),
    created_at: timestamp,
  })
  .meta({ id: "PaymentRow" });

export const LicenceRow = z
  .object({
    id: recordId,
    user_id: recordId,
    user: Customer,
    site_id: recordId,
    domain: z.string().meta({ example: "example.com" }),
    status: z.enum(["pending", "active", "absorbed", "expired", "cancelled"]).meta({ example: "pending" }),
    price: money,
    currency,
    period_start: timestamp,
    period_end: timestamp,
    pay_by: timestamp,
    paid_at: timestamp.nullable(),
    reference: z.string().meta({ example: "L01234569" }),
    closed_reason: z.string().nullable().meta({ example: null }),
    absorbed_by_id: recordId.nullable().meta({ example: null }),
    created_at: timestamp,
  })
  .meta({ id: "LicenceRow" });

const ADMIN = { tag: "Payments", access: "token", ability: "admin:*" } as const;
const user_id = queryInt({ min: 1, max: MAX_ID }).meta({ example: "7" }).nullish();
const LIST = "The default is page 1 of 50 rows, newest first; `data` repeats the list.";
const SAVED = "All rows that match, without pages.";
const CSV_LIMIT = { points: 60, per: 3600, by: "account" } as const;

const SubscriptionFilter = listFilter({
  sorts: ["created_at", "ends_at"],
  filters: {
    user_id,
    plan_id: queryInt({ min: 1, max: MAX_ID }).meta({ example: "2" }).nullish(),
    status: SubscriptionRow.shape.status.nullish(),
  },
});

export const listSubscriptions = operation({
  id: "listSubscriptions",
  method: "GET",
  path: "/api/admin/subscriptions",
  ...ADMIN,
  summary: "List subscriptions and orders",
  description: `\`q\` finds parts of the account's address, the reference, or the number. ${LIST}`,
  query: SubscriptionFilter.extend(pageQuery.shape),
  status: 200,
  output: z.object({
    success,
    subscriptions: z.array(SubscriptionRow),
    data: z.array(SubscriptionRow),
    count,
    meta: PageMeta,
  }),
});

export const downloadSubscriptions = operation({
  id: "downloadSubscriptions",
  method: "GET",
  path: "/api/admin/subscriptions.csv",
  ...ADMIN,
  summary: "Download the same subscriptions as a CSV file",
  description: SAVED,
  limit: CSV_LIMIT,
  query: SubscriptionFilter,
  status: 200,
  file: CSV,
  output: z.never(),
});

const PaymentFilter = listFilter({
  sorts: ["created_at", "paid_at", "amount"],
  filters: {
    user_id,
    state: PaymentRow.shape.state.nullish(),
    invoice: z.enum(DOCUMENT_STATES).meta({ example: "queued" }).nullish(),
    /** Days of the payment, both included. */
    paid_from: day.nullish(),
    paid_to: day.nullish(),
  },
});

export const listPayments = operation({
  id: "listPayments",
  method: "GET",
  path: "/api/admin/payments",
  ...ADMIN,
  summary: "List payments",
  description: `\`q\` finds parts of the account's address or of the bank reference, or the number. ${LIST}`,
  query: PaymentFilter.extend(pageQuery.shape),
  status: 200,
  output: z.object({
    success,
    payments: z.array(PaymentRow),
    data: z.array(PaymentRow),
    count,
    meta: PageMeta,
  }),
});

export const downloadPayments = operation({
  id: "downloadPayments",
  method: "GET",
  path: "/api/admin/payments.csv",
  ...ADMIN,
  summary: "Download the same payments as a CSV file",
  description: SAVED,
  limit: CSV_LIMIT,
  query: PaymentFilter,
  status: 200,
  file: CSV,
  output: z.never(),
});

const LicenceFilter = listFilter({
  sorts: ["created_at", "pay_by", "period_end"],
  filters: { user_id, status: LicenceRow.shape.status.nullish() },
});

export const listLicences = operation({
  id: "listLicences",
  method: "GET",
  path: "/api/admin/licences",
  ...ADMIN,
  summary: "List licences of sites",
  description: `\`q\` finds parts of the account's address, the domain or the reference, or the number. ${LIST}`,
  query: LicenceFilter.extend(pageQuery.shape),
  status: 200,
  output: z.object({
    success,
    licences: z.array(LicenceRow),
    data: z.array(LicenceRow),
    count,
    meta: PageMeta,
  }),
});

export const downloadLicences = operation({
  id: "downloadLicences",
  method: "GET",
  path: "/api/admin/licences.csv",
  ...ADMIN,
  summary: "Download the same licences as a CSV file",
  description: SAVED,
  limit: CSV_LIMIT,
  query: LicenceFilter,
  status: 200,
  file: CSV,
  output: z.never(),
});
