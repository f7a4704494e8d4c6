import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV_DOWNLOAD, listFilter, pageOutput, pageQuery } from "@/server/core/list";
import { createdAt, day, MAX_ID, queryInt, recordId, timestamp } from "@/server/core/schema";

import { DOCUMENT_STATES } from "./policy";

export { DOCUMENT_STATES, day };

const money = z.number().meta({ example: 9999 });
const currency = z.string().meta({ description: "ISO 4217 currency code.", example: "TRY" });

const Customer = z
  .object({
    id: recordId,
    name: z.string().meta({ description: "Name of the customer.", example: "Ayşe Kaya" }),
    email: z.string().meta({ description: "E-mail address of the customer.", example: "ayse@example.com" }),
  })
  .meta({ id: "Customer", description: "Account that a record belongs to." });

export const SubscriptionRow = z
  .object({
    id: recordId,
    user_id: recordId.meta({ description: "ID of the account." }),
    user: Customer.meta({ description: "The customer; null once the account is deleted." }),
    plan_id: recordId.meta({ description: "ID of the plan." }),
    plan: z.string().meta({ description: "Name of the plan.", example: "Pro" }),
    status: z
      .enum(["pending", "active", "past_due", "expired", "cancelled"])
      .meta({ description: "State of the subscription.", example: "active" }),
    price: money.meta({ description: "Price of one billing period when it was bought." }),
    currency,
    monthly_credits: z.int().meta({ description: "Credits granted each month.", example: 10_000 }),
    site_slots: z.int().meta({ description: "Number of sites it covers.", example: 5 }),
    used_slots: z.int().meta({ description: "Number of slots in use.", example: 2 }),
    starts_at: timestamp.meta({ description: "When the subscription starts; null until it is activated." }),
    ends_at: timestamp.meta({ description: "When the subscription ends; null until it is activated." }),
    reference: z
      .string()
      .meta({ description: "Reference to state on the bank transfer.", example: "T01234569" }),
    closed_reason: z
      .string()
      .nullable()
      .meta({ description: "Why it was closed; null while it is open.", example: null }),
    renews_subscription_id: recordId
      .nullable()
      .meta({ description: "ID of the subscription it renews; null if none." }),
    activated_by_id: recordId
      .nullable()
      .meta({ description: "ID of the administrator who activated it; null if none." }),
    created_at: createdAt,
  })
  .meta({ id: "SubscriptionRow", description: "A subscription or an order." });

export const PaymentRow = z
  .object({
    id: recordId,
    user_id: recordId.meta({ description: "ID of the account." }),
    user: Customer.meta({ description: "The customer; null once the account is deleted." }),
    method: z.string().meta({ description: "Method of payment.", example: "manual_transfer" }),
    state: z
      .enum(["recorded", "reversed"])
      .meta({ description: "State of the payment.", example: "recorded" }),
    amount: money.meta({ description: "Amount in `currency`." }),
    currency,
    paid_at: z.string().meta({ description: "Day of the payment, in Turkey.", example: "2027-11-20" }),
    bank_reference: z
      .string()
      .nullable()
      .meta({ description: "The bank's reference of the transfer; null if none.", example: "T01234569" }),
    note: z.string().nullable().meta({ description: "Internal note; null if none.", example: null }),
    subscription_id: recordId.nullable().meta({ description: "ID of the paid subscription; null if none." }),
    licence_id: recordId
      .nullable()
      .meta({ description: "ID of the paid licence; null if none.", example: null }),
    has_receipt: z.boolean().meta({ description: "True when a receipt is stored.", example: false }),
    invoice_id: recordId.nullable().meta({ description: "ID of the invoice; null if none." }),
    invoice: z
      .enum(DOCUMENT_STATES)
      .nullable()
      .meta({ description: "State of the invoice; null if none.", example: "queued" }),
    recorded_by_id: recordId
      .nullable()
      .meta({ description: "ID of the administrator who recorded it; null if none." }),
    reversed_by_id: recordId
      .nullable()
      .meta({ description: "ID of the administrator who reversed it; null if not reversed.", example: null }),
    reversed_at: timestamp
      .nullable()
      .meta({ description: "When it was reversed; null if it was not.", example: null }),
    reverse_reason: z
      .string()
      .nullable()
      .meta({ description: "Why it was reversed; null if it was not.", example: null }),
    created_at: createdAt,
  })
  .meta({ id: "PaymentRow", description: "A payment." });

export const LicenceRow = z
  .object({
    id: recordId,
    user_id: recordId.meta({ description: "ID of the account." }),
    user: Customer.meta({ description: "The customer; null once the account is deleted." }),
    site_id: recordId.meta({ description: "ID of the site." }),
    domain: z
      .string()
      .meta({ description: "Domain of the site, without scheme or path.", example: "example.com" }),
    status: z
      .enum(["pending", "active", "absorbed", "expired", "cancelled"])
      .meta({ description: "State of the licence.", example: "pending" }),
    price: money.meta({ description: "Price of the licence." }),
    currency,
    period_start: timestamp.meta({ description: "When the licence period starts." }),
    period_end: timestamp.meta({ description: "When the licence period ends." }),
    pay_by: timestamp.meta({ description: "Payment deadline." }),
    paid_at: timestamp.nullable().meta({ description: "When it was paid; null if not yet." }),
    reference: z
      .string()
      .meta({ description: "Reference to state on the bank transfer.", example: "L01234569" }),
    closed_reason: z
      .string()
      .nullable()
      .meta({ description: "Why it was closed; null while it is open.", example: null }),
    absorbed_by_id: recordId
      .nullable()
      .meta({ description: "ID of the subscription that took it over; null if none.", example: null }),
    created_at: createdAt,
  })
  .meta({ id: "LicenceRow", description: "An annual licence of a site." });

const ADMIN = { tag: "Payments", access: "token", ability: "admin:*" } as const;
const user_id = queryInt({ min: 1, max: MAX_ID })
  .meta({ example: "7" })
  .nullish()
  .meta({ description: "Only records of this account." });
const LIST = "The default is page 1 of 50 rows, newest first; `data` repeats the list.";
const SAVED = "All matching rows, without pages.";
const SubscriptionFilter = listFilter({
  sorts: ["created_at", "ends_at"],
  filters: {
    user_id,
    plan_id: queryInt({ min: 1, max: MAX_ID })
      .meta({ example: "2" })
      .nullish()
      .meta({ description: "Only subscriptions to this plan." }),
    status: SubscriptionRow.shape.status.nullish().meta({ description: "Only subscriptions in this state." }),
  },
});

export const listSubscriptions = operation({
  id: "listSubscriptions",
  method: "GET",
  path: "/api/admin/subscriptions",
  ...ADMIN,
  summary: "List subscriptions and orders",
  description: `\`q\` is a part of the account's e-mail address, the reference, or the ID. ${LIST}`,
  query: SubscriptionFilter.extend(pageQuery.shape),
  output: pageOutput("subscriptions", SubscriptionRow, "Subscriptions on this page."),
});

export const downloadSubscriptions = operation({
  id: "downloadSubscriptions",
  method: "GET",
  path: "/api/admin/subscriptions.csv",
  ...ADMIN,
  summary: "Download subscriptions as a CSV file",
  description: SAVED,
  query: SubscriptionFilter,
  ...CSV_DOWNLOAD,
});

const PaymentFilter = listFilter({
  sorts: ["created_at", "paid_at", "amount"],
  filters: {
    user_id,
    state: PaymentRow.shape.state.nullish().meta({ description: "Only payments in this state." }),
    invoice: z
      .enum(DOCUMENT_STATES)
      .nullish()
      .meta({ description: "Only payments whose invoice is in this state.", example: "queued" }),
    paid_from: day.nullish().meta({ description: "First day of payment." }),
    paid_to: day.nullish().meta({ description: "Last day of payment." }),
  },
});

export const listPayments = operation({
  id: "listPayments",
  method: "GET",
  path: "/api/admin/payments",
  ...ADMIN,
  summary: "List payments",
  description: `\`q\` is a part of the account's e-mail address or of the bank reference, or the ID. ${LIST}`,
  query: PaymentFilter.extend(pageQuery.shape),
  output: pageOutput("payments", PaymentRow, "Payments on this page."),
});

export const downloadPayments = operation({
  id: "downloadPayments",
  method: "GET",
  path: "/api/admin/payments.csv",
  ...ADMIN,
  summary: "Download payments as a CSV file",
  description: SAVED,
  query: PaymentFilter,
  ...CSV_DOWNLOAD,
});

const LicenceFilter = listFilter({
  sorts: ["created_at", "pay_by", "period_end"],
  filters: {
    user_id,
    status: LicenceRow.shape.status.nullish().meta({ description: "Only licences in this state." }),
  },
});

export const listLicences = operation({
  id: "listLicences",
  method: "GET",
  path: "/api/admin/licences",
  ...ADMIN,
  summary: "List licences of sites",
  description: `\`q\` is a part of the account's e-mail address, the domain or the reference, or the ID. ${LIST}`,
  query: LicenceFilter.extend(pageQuery.shape),
  output: pageOutput("licences", LicenceRow, "Licences on this page."),
});

export const downloadLicences = operation({
  id: "downloadLicences",
  method: "GET",
  path: "/api/admin/licences.csv",
  ...ADMIN,
  summary: "Download licences as a CSV file",
  description: SAVED,
  query: LicenceFilter,
  ...CSV_DOWNLOAD,
});
