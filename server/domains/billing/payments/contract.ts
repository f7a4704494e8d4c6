import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { parseAmount } from "@/server/core/money";
import { normaliseAmount } from "@/server/core/normalise";
import { byId, flag, id, recordId, SiteLine, textBlock, textLine, timestamp } from "@/server/core/schema";
import { BillingProfileInput } from "@/server/domains/billing/billing-profile/contract";
import { day, LicenceRow, PaymentRow, SubscriptionRow } from "@/server/domains/billing/records/contract";
import { OpenOrder } from "@/server/domains/billing/subscriptions/contract";

/** Positive amount with at most two decimals, as a number or a localised text. Output in minor units. */
export const amount = z
  .union([z.number(), z.string()])
  .transform((value, ctx) => {
    const minor = parseAmount(typeof value === "string" ? normaliseAmount(value) : value);
    if (minor) return minor;
    ctx.issues.push({ code: "custom", message: "validation.amount", input: value });
    return z.NEVER;
  })
  .meta({ example: 9999 });

const TRANSFER_FIELDS = {
  amount: f.nullish(amount, "Amount including VAT, in `currency`; the price when omitted."),
  currency: f.nullish(z.literal("TRY"), "Currency of the transfer; `TRY` when omitted.", "TRY"),
  paid_at: f.nullish(day, "Day of the payment, in Turkey; today when omitted."),
  bank_reference: f.nullish(
    textLine({ max: 140 }),
    "The bank's reference of the transfer; null if none.",
    "T01234566",
  ),
  note: f.nullish(textBlock({ max: 2000 }), "Internal note; null if none.", "Paid by the parent company."),
  create_invoice: f.nullish(flag, "False to create no invoice; true when omitted."),
  send_email: f.nullish(flag, "False to send no email to the customer; true when omitted."),
};

const ActivationInput = z.object({
  user_id: id.meta({ description: "ID of the account." }),
  plan_id: id.meta({ description: "ID of the plan." }),
  period_months: f.nullish(
    z.int().min(1).max(60),
    "Length of the subscription in months; 12 when omitted.",
    12,
  ),
  ...TRANSFER_FIELDS,
  absorbableLicenses: f.nullish(
    z.union([flag, z.array(id).max(500)], { error: "validation.absorbable" }).meta({ example: false }),
    "Pending licences that the subscription takes over: true for all, or a list of IDs. None when omitted.",
  ),
  renews_subscription_id: f.nullish(id, "ID of the subscription to renew; null for a new one."),
  order_id: f.nullish(id, "ID of the order to activate; null if none."),
  bill_to: f.nullish(BillingProfileInput, "Billing details, saved to the customer's profile."),
});

const LicenceLine = f.namedObject("AbsorbedLicence", "A licence that the subscription takes over.", {
  id: recordId.meta({ description: "ID of the licence." }),
  site_id: recordId.meta({ description: "ID of the site." }),
  status: f.text("State of the licence: `absorbed`, or `pending` if no slot was free.", "absorbed"),
  reference: f.text("Reference to state on the bank transfer.", "L01234566"),
});

const SITE_EXAMPLE = { id: 9, name: "Kaya Fırın", domain: "firin.example.com", is_active: true };

const AbsorbedLicences = z.object({
  licenses: f.list(LicenceLine, "Licences taken over."),
  sites: f.list(SiteLine, "Sites of those licences."),
  not_fitting: f.list(LicenceLine, "Licences that stay pending because no slot is free.", [
    { id: 8, site_id: 8, status: "pending", reference: "L12345674" },
  ]),
});
const InvoiceSummary = z.object({
  state: f.oneOf(
    ["queued", "skipped"],
    "State of the invoice; `skipped` with `create_invoice: false`.",
    "queued",
  ),
  missing: f.list(z.string(), "Billing details that the invoice still needs.", ["address"]),
});

const ADMIN_OPERATION = { tag: "Payments", access: "token", ability: "admin:*" } as const;
const PAYMENT_LIMIT = { points: 60, per: 3600, by: "account" } as const;
const TRANSFER_DESCRIPTION =
  "`amount` includes VAT and defaults to the price. `paid_at` is a day in Turkey and defaults to today. " +
  "`create_invoice: false` skips the invoice. The customer gets an email, with a copy to the administrator, unless " +
  "`send_email` is false.";

export const activateSubscription = operation({
  id: "activateSubscription",
  method: "POST",
  path: "/api/admin/subscriptions/manual-activate",
  ...ADMIN_OPERATION,
  summary: "Record a bank transfer and activate a subscription",
  description: `Needs a proof of identity from the last eight hours. Send an \`Idempotency-Key\`: without it, a repeated call activates a second subscription. ${TRANSFER_DESCRIPTION} \`absorbableLicenses\` closes pending licences and moves their sites to the subscription, as long as it has free slots. \`renews_subscription_id\` renews a subscription: the new one starts at its end and takes over its sites. A running trial of the account is renewed the same way without it. \`order_id\` activates an order.`,
  limit: PAYMENT_LIMIT,
  idempotent: true,
  body: ActivationInput,
  status: 201,
  output: f.changeOutput({
    subscription: SubscriptionRow,
    payment: PaymentRow,
    absorbed: AbsorbedLicences.meta({
      description: "Licences that the subscription takes over, and their sites.",
    }),
    invoice: InvoiceSummary.meta({ description: "Invoice of the payment." }),
    restored_sites: f.list(
      SiteLine,
      "Sites that were suspended with an earlier subscription and are active again.",
      [SITE_EXAMPLE],
    ),
    suspended_sites: f.list(
      SiteLine,
      "Sites of the renewed subscription that no longer fit and are suspended.",
      [],
    ),
  }),
  errors: ["identity_unproven"],
});

export const previewActivation = operation({
  id: "previewActivation",
  method: "POST",
  path: "/api/admin/subscriptions/manual-activate/preview",
  ...ADMIN_OPERATION,
  summary: "Preview an activation",
  description: "Runs the activation and rolls it back. `mail` is null if none would be sent.",
  limit: { points: 600, per: 3600, by: "account" },
  body: ActivationInput,
  output: f.success({
    subscription: SubscriptionRow.omit({ id: true, reference: true }).meta({
      description: "Subscription that would be activated.",
    }),
    payment: PaymentRow.omit({ id: true, subscription_id: true, invoice_id: true }).meta({
      description: "Payment that would be recorded.",
    }),
    absorbed: AbsorbedLicences.meta({
      description: "Licences that the subscription would take over, and their sites.",
    }),
    restored_sites: f.list(SiteLine, "Sites that would be active again.", [SITE_EXAMPLE]),
    suspended_sites: f.list(SiteLine, "Sites that would be suspended.", []),
    trial_ends_at: f.nullable(
      timestamp,
      "End of the free trial that the subscription would replace, and whose remaining days would be added to it; null without a trial.",
      null,
    ),
    invoice: InvoiceSummary.meta({ description: "Invoice of the payment." }),
    mail: f.nullable(
      z.object({
        subject: f.text("Subject of the email.", "Tellal: Pro"),
        html: f.text("Body as HTML.", "<!doctype html>"),
      }),
      "Mail to the customer; null if none would be sent.",
    ),
    other_orders: f.list(OpenOrder, "Other open orders of the account, which stay open.", []),
    recent: f.list(SubscriptionRow, "Activations of the same plan for the same account within 24 hours."),
    same_transfer: f.list(
      PaymentRow,
      "Payments of the last 30 days with the same bank reference and amount.",
    ),
  }),
});

export const payLicence = operation({
  id: "payLicence",
  method: "POST",
  path: "/api/admin/licences/{id}/payment",
  ...ADMIN_OPERATION,
  summary: "Record the payment of a licence",
  description: `Needs a proof of identity from the last eight hours. The licence becomes active. If its site was suspended because the licence was unpaid, the site becomes active again. ${TRANSFER_DESCRIPTION}`,
  ...byId("SiteLicence"),
  limit: PAYMENT_LIMIT,
  idempotent: true,
  body: z.object(TRANSFER_FIELDS),
  status: 201,
  output: f.changeOutput({
    licence: LicenceRow,
    payment: PaymentRow,
    invoice: InvoiceSummary.meta({ description: "Invoice of the payment." }),
  }),
  errors: ["identity_unproven", "licence_not_pending"],
});

export const cancelLicence = operation({
  id: "cancelLicence",
  method: "POST",
  path: "/api/admin/licences/{id}/cancel",
  ...ADMIN_OPERATION,
  summary: "Cancel an unpaid licence",
  description:
    "Needs a recent proof of identity. The account no longer owes this licence and can open new ones. The site is " +
    "suspended unless a subscription or another licence pays for it. The reason is kept in the audit log.",
  ...byId("SiteLicence"),
  limit: PAYMENT_LIMIT,
  body: z.object({
    reason: textLine({ max: 500 }).meta({
      description: "Reason, kept in the audit log.",
      example: "Created by mistake",
    }),
  }),
  output: f.changeOutput({ licence: LicenceRow }),
  errors: ["identity_unproven", "licence_not_pending"],
});

/** Confirmation words for a reversal; each language accepts all of them, in any case. */
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
  ...ADMIN_OPERATION,
  summary: "Reverse a payment",
  description:
    "Needs a recent proof of identity. A subscription that the payment activated is cancelled: its sites move to free " +
    "slots of the account's other subscriptions, oldest first, and the rest are suspended. If it was a renewal, the " +
    "renewed subscription becomes active again. A licence that was paid becomes pending again. The invoice is cancelled. " +
    "`confirmation` is `REVERSE` or its translation in any panel language.",
  ...byId("Payment"),
  limit: PAYMENT_LIMIT,
  body: z.object({
    reason: textLine({ min: 3, max: 500 }).meta({
      description: "Reason, kept with the payment.",
      example: "The bank took the transfer back",
    }),
    confirmation: z
      .string()
      .max(32)
      .meta({ description: "The word `REVERSE`, or its translation.", example: REVERSE_WORDS.en }),
  }),
  output: f.changeOutput({
    payment: PaymentRow,
    moved_sites: f.list(SiteLine, "Sites that moved to another slot."),
    suspended_sites: f.list(SiteLine, "Sites that were suspended.", [{ ...SITE_EXAMPLE, is_active: false }]),
  }),
  errors: ["identity_unproven", "payment_reversed", "payment_renewed"],
});

const RECEIPT_MAX_BYTES = 5 * 1024 * 1024;

export const uploadReceipt = operation({
  id: "uploadReceipt",
  method: "POST",
  path: "/api/admin/payments/{id}/receipt",
  ...ADMIN_OPERATION,
  summary: "Attach the receipt of a payment",
  description: "PDF, JPEG or PNG up to 5 MiB, detected by content. Replaces the previous receipt.",
  ...byId("Payment"),
  limit: PAYMENT_LIMIT,
  upload: {
    field: "file",
    maxBytes: RECEIPT_MAX_BYTES,
    types: ["application/pdf", "image/jpeg", "image/png"],
  },
  output: f.changeOutput({ payment: PaymentRow }),
});

export const downloadReceipt = operation({
  id: "downloadReceipt",
  method: "GET",
  path: "/api/admin/payments/{id}/receipt",
  ...ADMIN_OPERATION,
  summary: "Download the receipt of a payment",
  ...byId("Payment"),
  file: "application/octet-stream",
  output: z.never(),
});
