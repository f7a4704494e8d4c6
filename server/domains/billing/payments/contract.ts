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
  amount: amount.nullish(),
  currency: z.literal("TRY").meta({ example: "TRY" }).nullish(),
  paid_at: day.nullish(),
  bank_reference: line({ max: 140 }).meta({ example: "T01234569" }).nullish(),
  note: block({ max: 2000 }).meta({ example: "Paid by the parent company." }).nullish(),
  create_invoice: flag.nullish(),
  send_email: flag.nullish(),
};

const Activation = z.object({
  user_id: id,
  plan_id: id,
  period_months: z.int().min(1).max(60).meta({ example: 12 }).nullish(),
  ...Transfer,
  /** true: all pending licences; a list: those. */
  absorbableLicenses: z
    .union([flag, z.array(id).max(500)], { error: "validation.absorbable" })
    .meta({ example: false })
    .nullish(),
  renews_subscription_id: id.nullish(),
  order_id: id.nullish(),
  /** Saved as the customer's billing profile. */
  bill_to: BillingProfileInput.nullish(),
});

const LicenceLine = z
  .object({
    id: recordId,
    site_id: recordId,
    status: z.string().meta({ example: "absorbed" }),
    reference: z.string().meta({ example: "L01234569" }),
  })
  .meta({ id: "AbsorbedLicence" });

const Absorbed = z.object({
  licenses: z.array(LicenceLine),
  sites: z.array(SiteLine),
  /** Stay pending, because there are no slots left. */
  not_fitting: z.array(LicenceLine),
});
const Invoice = z.object({
  state: z.enum(["queued", "skipped"]),
  /** What the billing profile lacks for it. */
  missing: z.array(z.string()).meta({ example: ["address"] }),
});

const ADMIN = { tag: "Payments", access: "token", ability: "admin:*" } as const;
const MONEY_LIMIT = { points: 60, per: 3600, by: "account" } as const;
const DEFAULTS =
  "`amount` is the price by default and includes VAT; `paid_at` is a day in Turkey, today by default. With " +
  "`create_invoice: false` the invoice is skipped for good. With `send_email`, the default, the customer gets a mail with " +
  "the administrator in copy.";

export const activateSubscription = operation({
  id: "activateSubscription",
  method: "POST",
  path: "/api/admin/subscriptions/manual-activate",
  ...ADMIN,
  summary: "Record a bank transfer and activate a subscription",
  description:
    "Needs a proof of identity of the last eight hours. " +
    `For administrators. Repeating the call makes a second one, unless it carries an Idempotency-Key. ${DEFAULTS} ` +
    "`absorbableLicenses` closes pending licences and lets the subscription pay for their sites while it has slots. " +
    "`renews_subscription_id` continues a subscription from its end, with its sites; `order_id` activates an order.",
  limit: MONEY_LIMIT,
  idempotent: true,
  body: Activation,
  status: 201,
  output: z.object({
    success,
    message,
    subscription: SubscriptionRow,
    payment: PaymentRow,
    absorbed: Absorbed,
    invoice: Invoice,
    /** Sites that were suspended with an earlier subscription and are back. */
    restored_sites: z.array(SiteLine),
    /** Sites of the renewed subscription that this one has no slots for. */
    suspended_sites: z.array(SiteLine),
  }),
  errors: ["identity_unproven"],
});

export const previewActivation = operation({
  id: "previewActivation",
  method: "POST",
  path: "/api/admin/subscriptions/manual-activate/preview",
  ...ADMIN,
  summary: "Preview an activation",
  description: "Does what the activation does and takes it back. `mail` is null when none would be sent.",
  limit: { points: 600, per: 3600, by: "account" },
  body: Activation,
  status: 200,
  output: z.object({
    success,
    subscription: SubscriptionRow.omit({ id: true, reference: true }),
    payment: PaymentRow.omit({ id: true, subscription_id: true, invoice_id: true }),
    absorbed: Absorbed,
    restored_sites: z.array(SiteLine),
    suspended_sites: z.array(SiteLine),
    invoice: Invoice,
    mail: z
      .object({
        subject: z.string().meta({ example: "Tellal: Pro" }),
        html: z.string().meta({ example: "<!doctype html>" }),
      })
      .nullable(),
    /** Activations of the same plan for the same account within 24 hours. */
    recent: z.array(SubscriptionRow),
    /** Payments of the last 30 days with the same bank reference and amount. */
    same_transfer: z.array(PaymentRow),
  }),
});

export const payLicence = operation({
  id: "payLicence",
  method: "POST",
  path: "/api/admin/licences/{id}/payment",
  ...ADMIN,
  summary: "Record the payment of a site's licence",
  description: `Needs a proof of identity of the last eight hours. The licence becomes active, and its site comes back if it was suspended for it. ${DEFAULTS}`,
  record: "SiteLicence",
  limit: MONEY_LIMIT,
  idempotent: true,
  params: z.object({ id: pathId }),
  body: z.object(Transfer),
  status: 201,
  output: z.object({ success, message, licence: LicenceRow, payment: PaymentRow, invoice: Invoice }),
  errors: ["identity_unproven", "record_not_found", "licence_not_pending"],
});

export const cancelLicence = operation({
  id: "cancelLicence",
  method: "POST",
  path: "/api/admin/licences/{id}/cancel",
  ...ADMIN,
  summary: "Cancel an unpaid licence of a site",
  description:
    "The account owes the licence no longer and can open others. A site that nothing else pays for is suspended. The reason " +
    "is kept in the audit log.",
  record: "SiteLicence",
  limit: MONEY_LIMIT,
  params: z.object({ id: pathId }),
  body: z.object({ reason: line({ max: 500 }).meta({ example: "Created by mistake" }) }),
  status: 200,
  output: z.object({ success, message, licence: LicenceRow }),
  errors: ["identity_unproven", "record_not_found", "licence_not_pending"],
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
    "Needs a fresh proof of identity. " +
    "Its subscription is cancelled: its sites move into free slots of the account's other subscriptions, oldest first, and " +
    "the rest is suspended. A subscription that it renewed runs again. A licence waits for its payment once more. An " +
    "invoice that is not made yet is cancelled. `confirmation` is `REVERSE`, or that word in one's language.",
  record: "Payment",
  limit: MONEY_LIMIT,
  params: z.object({ id: pathId }),
  body: z.object({
    reason: line({ min: 3, max: 500 }).meta({ example: "The bank took the transfer back" }),
    confirmation: z.string().max(32).meta({ example: REVERSE_WORDS.en }),
  }),
  status: 200,
  output: z.object({
    success,
    message,
    payment: PaymentRow,
    moved_sites: z.array(SiteLine),
    suspended_sites: z.array(SiteLine),
  }),
  errors: ["identity_unproven", "record_not_found", "payment_reversed", "payment_renewed"],
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
  status: 200,
  output: z.object({ success, message, payment: PaymentRow }),
  errors: ["record_not_found"],
});

export const downloadReceipt = operation({
  id: "downloadReceipt",
  method: "GET",
  path: "/api/admin/payments/{id}/receipt",
  ...ADMIN,
  summary: "Download the receipt of a payment",
  record: "Payment",
  params: z.object({ id: pathId }),
  status: 200,
  file: "application/octet-stream",
  output: z.never(),
  errors: ["record_not_found"],
});
