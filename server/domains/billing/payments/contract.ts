import * as z from "zod";
import { operation } from "@/server/core/contract";
import { parseAmount } from "@/server/core/money";
import { amountText } from "@/server/core/normalise";
import { block, flag, id, line, message, pathId, recordId, SiteLine, success } from "@/server/core/schema";
import { BillingProfileInput } from "@/server/domains/billing/billing-profile/contract";
import { day, LicenceRow, PaymentRow, SubscriptionRow } from "@/server/domains/billing/records/contract";

/** A number with at most two decimals, or such an amount as people write it; above zero, in minor units. */
export const amount = z
  .union([z.number(), z.string()])
  .transform((value, ctx) => {
    const minor = parseAmount(typeof value === "string" ? amountText(value) : value);
    if (minor) return minor;
    ctx.issues.push({ code: "custom", message: "validation.amount", input: value });
    return z.NEVER;
  })
  .meta({ example: 9999 });

const Transfer = {
  amount: amount.nullish().meta({ description: "Amount in `currency`; the price when omitted." }),
  currency: z
    .literal("TRY")
    .nullish()
    .meta({ description: "Currency of the transfer; `TRY` when omitted.", example: "TRY" }),
  paid_at: day.nullish().meta({ description: "Day of the payment, in Turkey; today when omitted." }),
  bank_reference: line({ max: 140 })
    .nullish()
    .meta({ description: "The bank's reference of the transfer; null if none.", example: "T01234569" }),
  note: block({ max: 2000 })
    .nullish()
    .meta({ description: "Internal note; null if none.", example: "Paid by the parent company." }),
  create_invoice: flag.nullish().meta({ description: "False to create no invoice; true when omitted." }),
  send_email: flag
    .nullish()
    .meta({ description: "False to send no mail to the customer; true when omitted." }),
};

const Activation = z.object({
  user_id: id.meta({ description: "ID of the account." }),
  plan_id: id.meta({ description: "ID of the plan." }),
  period_months: z
    .int()
    .min(1)
    .max(60)
    .nullish()
    .meta({ description: "Length of the subscription in months; 12 when omitted.", example: 12 }),
  ...Transfer,
  absorbableLicenses: z
    .union([flag, z.array(id).max(500)], { error: "validation.absorbable" })
    .meta({ example: false })
    .nullish()
    .meta({ description: "True for all pending licences, or the IDs of some." }),
  renews_subscription_id: id
    .nullish()
    .meta({ description: "ID of the subscription to renew; null for a new one." }),
  order_id: id.nullish().meta({ description: "ID of the order to activate; null if none." }),
  bill_to: BillingProfileInput.nullish().meta({
    description: "Billing details, saved to the customer's profile.",
  }),
});

const LicenceLine = z
  .object({
    id: recordId.meta({ description: "ID of the licence." }),
    site_id: recordId.meta({ description: "ID of the site." }),
    status: z.string().meta({ description: "State of the licence.", example: "absorbed" }),
    reference: z
      .string()
      .meta({ description: "Reference to state on the bank transfer.", example: "L01234569" }),
  })
  .meta({ id: "AbsorbedLicence", description: "A licence that the subscription takes over." });

const Absorbed = z.object({
  licenses: z.array(LicenceLine).meta({ description: "Licences taken over." }),
  sites: z.array(SiteLine).meta({ description: "Sites of those licences." }),
  not_fitting: z
    .array(LicenceLine)
    .meta({ description: "Licences that stay pending because no slots are left." }),
});
const Invoice = z.object({
  state: z.enum(["queued", "skipped"]).meta({ description: "State of the invoice." }),
  missing: z
    .array(z.string())
    .meta({ description: "Billing details that the invoice still needs.", example: ["address"] }),
});

const ADMIN = { tag: "Payments", access: "token", ability: "admin:*" } as const;
const MONEY_LIMIT = { points: 60, per: 3600, by: "account" } as const;
const DEFAULTS =
  "`amount` includes VAT and defaults to the price; `paid_at` is a day in Turkey, today by default. With " +
  "`create_invoice: false` no invoice is ever made. With `send_email`, the default, the customer gets a mail with the " +
  "administrator in copy.";

export const activateSubscription = operation({
  id: "activateSubscription",
  method: "POST",
  path: "/api/admin/subscriptions/manual-activate",
  ...ADMIN,
  summary: "Record a bank transfer and activate a subscription",
  description: `Needs a proof of identity from the last eight hours. For administrators. Repeating the call activates a second subscription unless it has an Idempotency-Key. ${DEFAULTS} \`absorbableLicenses\` closes pending licences and moves their sites to the subscription while it has slots. \`renews_subscription_id\` continues a subscription from its end, with its sites; \`order_id\` activates an order.`,
  limit: MONEY_LIMIT,
  idempotent: true,
  body: Activation,
  status: 201,
  output: z.object({
    success,
    message,
    subscription: SubscriptionRow,
    payment: PaymentRow,
    absorbed: Absorbed.meta({ description: "Licences that the subscription takes over, and their sites." }),
    invoice: Invoice.meta({ description: "Invoice of the payment; null if none is made." }),
    restored_sites: z
      .array(SiteLine)
      .meta({ description: "Sites that were suspended with an earlier subscription and are active again." }),
    suspended_sites: z
      .array(SiteLine)
      .meta({ description: "Sites of the renewed subscription that no longer fit and are suspended." }),
  }),
  errors: ["identity_unproven"],
});

export const previewActivation = operation({
  id: "previewActivation",
  method: "POST",
  path: "/api/admin/subscriptions/manual-activate/preview",
  ...ADMIN,
  summary: "Preview an activation",
  description: "Runs the activation and rolls it back. `mail` is null if none would be sent.",
  limit: { points: 600, per: 3600, by: "account" },
  body: Activation,
  output: z.object({
    success,
    subscription: SubscriptionRow.omit({ id: true, reference: true }).meta({
      description: "Subscription that would be activated.",
    }),
    payment: PaymentRow.omit({ id: true, subscription_id: true, invoice_id: true }).meta({
      description: "Payment that would be recorded.",
    }),
    absorbed: Absorbed.meta({
      description: "Licences that the subscription would take over, and their sites.",
    }),
    restored_sites: z.array(SiteLine).meta({ description: "Sites that would be active again." }),
    suspended_sites: z.array(SiteLine).meta({ description: "Sites that would be suspended." }),
    invoice: Invoice.meta({ description: "Invoice of the payment; null if none would be made." }),
    mail: z
      .object({
        subject: z.string().meta({ description: "Subject of the mail.", example: "Tellal: Pro" }),
        html: z.string().meta({ description: "Body as HTML.", example: "<!doctype html>" }),
      })
      .nullable()
      .meta({ description: "Mail to the customer; null if none would be sent." }),
    recent: z
      .array(SubscriptionRow)
      .meta({ description: "Activations of the same plan for the same account within 24 hours." }),
    same_transfer: z
      .array(PaymentRow)
      .meta({ description: "Payments of the last 30 days with the same bank reference and amount." }),
  }),
});

export const payLicence = operation({
  id: "payLicence",
  method: "POST",
  path: "/api/admin/licences/{id}/payment",
  ...ADMIN,
  summary: "Record the payment of a licence",
  description: `Needs a proof of identity from the last eight hours. The licence becomes active; a site suspended for it becomes active again. ${DEFAULTS}`,
  record: "SiteLicence",
  limit: MONEY_LIMIT,
  idempotent: true,
  params: z.object({ id: pathId }),
  body: z.object(Transfer),
  status: 201,
  output: z.object({
    success,
    message,
    licence: LicenceRow,
    payment: PaymentRow,
    invoice: Invoice.meta({ description: "Invoice of the payment; null if none is made." }),
  }),
  errors: ["identity_unproven", "licence_not_pending"],
});

export const cancelLicence = operation({
  id: "cancelLicence",
  method: "POST",
  path: "/api/admin/licences/{id}/cancel",
  ...ADMIN,
  summary: "Cancel an unpaid licence",
  description:
    "The account no longer owes the licence and can open others. A site that nothing else pays for is suspended. The " +
    "reason is kept in the audit log.",
  record: "SiteLicence",
  limit: MONEY_LIMIT,
  params: z.object({ id: pathId }),
  body: z.object({
    reason: line({ max: 500 }).meta({
      description: "Reason, kept in the audit log.",
      example: "Created by mistake",
    }),
  }),
  output: z.object({ success, message, licence: LicenceRow }),
  errors: ["identity_unproven", "licence_not_pending"],
});

/** Typed to confirm a reversal; any of them counts, in any case. */
export const REVERSE_WORDS = {
  tr: "GERİ AL",
  en: "REVERSE",
  ru: "ОТМЕНИТЬ",
  de: "STORNIEREN",
  ar: "عكس",
  fr: "ANNULER",
  it: "STORNARE",
} as const;

export const reversePayment = operation({
  id: "reversePayment",
  method: "POST",
  path: "/api/admin/payments/{id}/reverse",
  ...ADMIN,
  summary: "Reverse a payment",
  description:
    "Needs a fresh proof of identity. Cancels the subscription: its sites move into free slots of the account's other " +
    "subscriptions, oldest first, and the rest are suspended. A subscription that it renewed becomes active again. A " +
    "licence returns to pending. An invoice that is not made yet is cancelled. `confirmation` is `REVERSE`, or that word " +
    "in the caller's language.",
  record: "Payment",
  limit: MONEY_LIMIT,
  params: z.object({ id: pathId }),
  body: z.object({
    reason: line({ min: 3, max: 500 }).meta({
      description: "Reason, kept with the payment.",
      example: "The bank took the transfer back",
    }),
    confirmation: z
      .string()
      .max(32)
      .meta({ description: "The word `REVERSE`, or its translation.", example: REVERSE_WORDS.en }),
  }),
  output: z.object({
    success,
    message,
    payment: PaymentRow,
    moved_sites: z.array(SiteLine).meta({ description: "Sites that moved to another slot." }),
    suspended_sites: z.array(SiteLine).meta({ description: "Sites that were suspended." }),
  }),
  errors: ["identity_unproven", "payment_reversed", "payment_renewed"],
});

/** Size and types of a receipt, judged by its content. */
const RECEIPT_MAX_BYTES = 5 * 1024 * 1024;

export const uploadReceipt = operation({
  id: "uploadReceipt",
  method: "POST",
  path: "/api/admin/payments/{id}/receipt",
  ...ADMIN,
  summary: "Attach the receipt of a payment",
  description: "PDF, JPEG or PNG, detected by content. Replaces the previous one.",
  record: "Payment",
  limit: MONEY_LIMIT,
  params: z.object({ id: pathId }),
  upload: {
    field: "file",
    maxBytes: RECEIPT_MAX_BYTES,
    types: ["application/pdf", "image/jpeg", "image/png"],
  },
  output: z.object({ success, message, payment: PaymentRow }),
});

export const downloadReceipt = operation({
  id: "downloadReceipt",
  method: "GET",
  path: "/api/admin/payments/{id}/receipt",
  ...ADMIN,
  summary: "Download the receipt of a payment",
  record: "Payment",
  params: z.object({ id: pathId }),
  file: "application/octet-stream",
  output: z.never(),
});
