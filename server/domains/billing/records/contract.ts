import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { CSV_DOWNLOAD, listFilter, pageOutput, pageQuery } from "@/server/core/list";
import { createdAt, day, expiry, MAX_ID, queryId, queryInt, recordId, timestamp } from "@/server/core/schema";

import { seriesByName, seriesQuery } from "@/server/core/series";
import { DOCUMENT_STATES } from "./policy";

export { DOCUMENT_STATES, day };

const money = z.number().meta({ example: 9999 });
const currency = f.text("ISO 4217 currency code.", "TRY");

const Customer = f.namedObject("Customer", "Account that owns a record.", {
  id: recordId,
  name: f.text("Name of the customer.", "Ayşe Kaya"),
  email: f.text("Email address of the customer.", "ayse@example.com"),
});

export const SubscriptionRow = f.namedObject("SubscriptionRow", "A subscription or an order.", {
  id: recordId,
  user_id: recordId.meta({ description: "ID of the account." }),
  user: Customer.meta({ description: "The customer." }),
  plan_id: recordId.meta({ description: "ID of the plan." }),
  plan: f.text("Name of the plan.", "Pro"),
  status: f.oneOf(
    ["pending", "active", "past_due", "expired", "cancelled"],
    "State of the subscription.",
    "active",
  ),
  is_trial: f.boolean("True for a free trial.", false),
  price: money.meta({ description: "Price of one billing period at the time of purchase." }),
  currency,
  monthly_credits: f.integer("Credits granted each month.", 10_000),
  site_slots: f.integer("Number of sites it covers.", 5),
  used_slots: f.integer("Number of slots in use.", 2),
  starts_at: timestamp.meta({
    description: "Start of the subscription. For an unpaid order, the time of the order.",
  }),
  ends_at: expiry.meta({
    description: "End of the subscription. For an unpaid order, the time at which it lapses.",
    example: "2028-11-20T09:30:00.000000Z",
  }),
  reference: f.text("Reference to state on the bank transfer.", "T01234566"),
  closed_reason: f.nullable(z.string(), "Why it was closed; null while it is open.", null),
  renews_subscription_id: f.nullable(recordId, "ID of the subscription it renews; null if none.", null),
  activated_by_id: f.nullable(recordId, "ID of the administrator who activated it; null if none.", 3),
  created_at: createdAt,
});

export const PaymentRow = f.namedObject("PaymentRow", "A payment.", {
  id: recordId,
  user_id: recordId.meta({ description: "ID of the account." }),
  user: Customer.meta({ description: "The customer." }),
  method: f.text("Method of payment; always `manual_transfer`.", "manual_transfer"),
  state: f.oneOf(["recorded", "reversed"], "State of the payment.", "recorded"),
  amount: money.meta({ description: "Amount in `currency`." }),
  currency,
  paid_at: f.text("Day of the payment, in Turkey.", "2027-11-20"),
  bank_reference: f.nullable(z.string(), "The bank's reference of the transfer; null if none.", "T01234566"),
  note: f.nullable(z.string(), "Internal note; null if none.", null),
  subscription_id: f.nullable(recordId, "ID of the paid subscription; null if none."),
  licence_id: f.nullable(recordId, "ID of the paid licence; null if none.", null),
  has_receipt: f.boolean("True when a receipt is stored.", false),
  invoice_id: f.nullable(recordId, "ID of the invoice; null if none."),
  invoice: f.nullable(z.enum(DOCUMENT_STATES), "State of the invoice; null if none.", "queued"),
  recorded_by_id: f.nullable(recordId, "ID of the administrator who recorded it; null if none.", 3),
  reversed_by_id: f.nullable(
    recordId,
    "ID of the administrator who reversed it; null if not reversed.",
    null,
  ),
  reversed_at: f.nullable(timestamp, "When it was reversed; null if it was not.", null),
  reverse_reason: f.nullable(z.string(), "Why it was reversed; null if it was not.", null),
  created_at: createdAt,
});

export const LicenceRow = f.namedObject("LicenceRow", "An annual licence of a site.", {
  id: recordId,
  user_id: recordId.meta({ description: "ID of the account." }),
  user: Customer.meta({ description: "The customer." }),
  site_id: recordId.meta({ description: "ID of the site." }),
  domain: f.text("Domain of the site, without scheme or path.", "example.com"),
  status: f.oneOf(
    ["pending", "active", "absorbed", "expired", "cancelled"],
    "State of the licence.",
    "pending",
  ),
  price: money.meta({ description: "Price of the licence.", example: 3999 }),
  currency,
  period_start: timestamp.meta({ description: "When the licence period starts." }),
  period_end: expiry.meta({
    description: "When the licence period ends.",
    example: "2028-11-20T09:30:00.000000Z",
  }),
  pay_by: timestamp.meta({ description: "Payment deadline.", example: "2027-12-04T09:30:00.000000Z" }),
  paid_at: f.nullable(timestamp, "When it was paid; null if not yet.", null),
  reference: f.text("Reference to state on the bank transfer.", "L01234566"),
  closed_reason: f.nullable(z.string(), "Why it was closed; null while it is open.", null),
  absorbed_by_id: f.nullable(recordId, "ID of the subscription that took it over; null if none.", null),
  created_at: createdAt,
});

const ADMIN_OPERATION = { tag: "Payments", access: "token", ability: "admin:*" } as const;
const user_id = f.nullish(queryId, "Only records of this account.");
const LIST_DESCRIPTION = "Returns the first 50 rows, newest first, by default. `data` repeats the list.";
const CSV_DESCRIPTION = "Contains all matching rows; there are no pages.";
const SubscriptionFilter = listFilter({
  sorts: ["created_at", "ends_at"],
  filters: {
    user_id,
    plan_id: f.nullish(
      queryInt({ min: 1, max: MAX_ID }).meta({ example: "2" }),
      "Only subscriptions to this plan.",
    ),
    status: f.nullish(SubscriptionRow.shape.status, "Only subscriptions in this state."),
  },
});

export const listSubscriptions = operation({
  id: "listSubscriptions",
  method: "GET",
  path: "/api/admin/subscriptions",
  ...ADMIN_OPERATION,
  summary: "List subscriptions and orders",
  description: `Each word of \`q\` must be a part of the account's email address or of the reference, or the ID. ${LIST_DESCRIPTION}`,
  query: SubscriptionFilter.extend(pageQuery.shape),
  output: pageOutput("subscriptions", SubscriptionRow, "Subscriptions on this page."),
});

export const downloadSubscriptions = operation({
  id: "downloadSubscriptions",
  path: "/api/admin/subscriptions.csv",
  ...ADMIN_OPERATION,
  summary: "Download subscriptions as a CSV file",
  description: CSV_DESCRIPTION,
  query: SubscriptionFilter,
  ...CSV_DOWNLOAD,
});

const PaymentFilter = listFilter({
  sorts: ["created_at", "paid_at", "amount"],
  filters: {
    user_id,
    state: f.nullish(PaymentRow.shape.state, "Only payments in this state."),
    invoice: f.nullish(z.enum(DOCUMENT_STATES), "Only payments whose invoice is in this state.", "queued"),
    paid_from: f.nullish(day, "Only payments made on this day or later, in Turkey."),
    paid_to: f.nullish(day, "Only payments made on this day or earlier, in Turkey."),
  },
});

export const listPayments = operation({
  id: "listPayments",
  method: "GET",
  path: "/api/admin/payments",
  ...ADMIN_OPERATION,
  summary: "List payments",
  description: `Each word of \`q\` must be a part of the account's email address or of the bank reference, or the ID. ${LIST_DESCRIPTION}`,
  query: PaymentFilter.extend(pageQuery.shape),
  output: pageOutput("payments", PaymentRow, "Payments on this page."),
});

export const downloadPayments = operation({
  id: "downloadPayments",
  path: "/api/admin/payments.csv",
  ...ADMIN_OPERATION,
  summary: "Download payments as a CSV file",
  description: CSV_DESCRIPTION,
  query: PaymentFilter,
  ...CSV_DOWNLOAD,
});

const LicenceFilter = listFilter({
  sorts: ["created_at", "pay_by", "period_end"],
  filters: {
    user_id,
    status: f.nullish(LicenceRow.shape.status, "Only licences in this state."),
  },
});

export const listLicences = operation({
  id: "listLicences",
  method: "GET",
  path: "/api/admin/licences",
  ...ADMIN_OPERATION,
  summary: "List licences of sites",
  description: `Each word of \`q\` must be a part of the account's email address, of the domain or of the reference, or the ID. ${LIST_DESCRIPTION}`,
  query: LicenceFilter.extend(pageQuery.shape),
  output: pageOutput("licences", LicenceRow, "Licences on this page."),
});

export const downloadLicences = operation({
  id: "downloadLicences",
  path: "/api/admin/licences.csv",
  ...ADMIN_OPERATION,
  summary: "Download licences as a CSV file",
  description: CSV_DESCRIPTION,
  query: LicenceFilter,
  ...CSV_DOWNLOAD,
});

export const PAYMENT_PERIODS = ["12m", "7d", "30d", "90d"] as const;
/** Maximum number of lines per currency. */
export const MAX_PAYMENT_LINES = 6;

export const getPaymentSeries = operation({
  id: "getPaymentSeries",
  method: "GET",
  path: "/api/admin/payments/series",
  ...ADMIN_OPERATION,
  summary: "Get payments over time",
  description:
    "Sums the amounts of recorded payments, including VAT, by the name of the plan and the day of the payment. A payment " +
    "that is reversed no longer counts. A currency has a line for each of its plans; of more than " +
    `${MAX_PAYMENT_LINES}, the smallest are summed. Payments are kept as the law requires.`,
  query: seriesQuery({ periods: PAYMENT_PERIODS, intervals: ["day", "week", "month"] }),
  output: f.success({
    data: seriesByName(
      "PaymentSeries",
      "Payments over time.",
      "Name of the plan, `licence` for licences of sites, or `other` for the remaining plans. Unique per currency.",
      "Pro",
    ),
  }),
});
