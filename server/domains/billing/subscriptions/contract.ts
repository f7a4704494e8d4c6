import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, listOutput, PageMeta, pageQuery } from "@/server/core/list";
import { LOCALES } from "@/server/core/locale";
import {
  block,
  count,
  expiry,
  flag,
  id,
  line,
  message,
  pathId,
  recordId,
  success,
  timestamp,
  updatedAt,
} from "@/server/core/schema";
import { BankDetails } from "@/server/core/settings";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { FEATURES, ORDERS_MAX, PLAN_NAMES } from "./policy";

const planName = z.string().meta({ description: "Name of the plan.", example: "Pro" });
const price = z.int().meta({ description: "Price of one billing period, VAT included.", example: 9999 });
const currency = z.string().meta({ description: "ISO 4217 currency code.", example: "TRY" });
const slots = z.int().meta({ example: 5 });
const monthlyCredits = z.int().meta({ description: "Credits granted each month.", example: 10_000 });

const Plan = z.object({
  id: recordId,
  name: planName,
  slug: z.string().meta({ description: "Slug of the plan in URLs.", example: "pro" }),
  price,
  currency,
  billing_period: z.string().meta({ description: "Length of a billing period.", example: "yearly" }),
  site_slots: slots.meta({ description: "Number of sites the plan covers." }),
  monthly_credits: monthlyCredits,
  is_active: z.boolean().meta({ description: "True when the plan is offered." }),
  sort_order: z.int().meta({ description: "Position in the list of plans.", example: 2 }),
});

const SubscriptionPlan = Plan.extend({
  description: z.string().meta({
    description: "Description of the plan.",
    example: "For growing teams that answer on several sites.",
  }),
  features: z
    .array(z.string())
    .meta({ description: "Features of the plan.", example: ["5 sites", "AI assistant"] }),
});

export const listSubscriptionPlans = operation({
  id: "listSubscriptionPlans",
  method: "GET",
  path: "/api/subscription-plans",
  tag: "Subscriptions",
  summary: "List the plans that can be ordered",
  description: "Texts are in the caller's language.",
  access: "token",
  output: z.object({
    success,
    data: z.array(SubscriptionPlan).meta({ description: "Plans on offer." }),
    count,
  }),
});

/** Texts of a plan by language, where they differ from those of the dictionary. */
function textsOf(description: z.ZodType<string>, feature: z.ZodType<string>) {
  const texts = z.object({
    description: description
      .nullish()
      .meta({ description: "Description of the plan; null to use the default." }),
    features: z
      .array(feature)
      .max(20)
      .nullish()
      .meta({ description: "Features of the plan; null to use the default." }),
  });
  return z
    .partialRecord(z.enum(LOCALES), texts)
    .meta({ example: { en: { description: "For growing teams.", features: ["5 sites"] } } });
}
const Texts = textsOf(z.string(), z.string());
export type PlanTexts = z.output<typeof Texts>;

const AdminPlan = Plan.extend({
  features: z.array(z.string()).meta({
    description: "Keys of the features, for languages without their own texts.",
    example: ["channels", "team"],
  }),
  texts: Texts.meta({ description: "Texts by language." }),
  eligible: z.boolean().meta({ description: "True when the plan can be ordered and activated manually." }),
  live_count: count.meta({ description: "Number of running subscriptions and open orders." }),
  updated_at: updatedAt,
}).meta({ id: "AdminPlan", description: "A plan as administrators see it." });

export const listPlans = operation({
  id: "listPlans",
  method: "GET",
  path: "/api/admin/plans",
  tag: "Administration",
  summary: "List all plans with their terms and texts",
  access: "token",
  ability: "admin:*",
  output: listOutput("plans", AdminPlan, "All plans."),
});

const PlanInput = z.object({
  name: line({ max: 60 }).nullish().meta({ description: "Name of the plan.", example: "Pro" }),
  slug: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(60)
    .nullish()
    .meta({ description: "Slug of the plan in URLs.", example: "pro" }),
  price: price
    .min(1)
    .max(10_000_000)
    .nullish()
    .meta({ description: "Price of one billing period in whole units, VAT included." }),
  site_slots: slots.min(1).max(10_000).nullish().meta({ description: "Number of sites the plan covers." }),
  monthly_credits: monthlyCredits
    .min(0)
    .max(100_000_000)
    .nullish()
    .meta({ description: "Credits granted each month." }),
  features: z
    .array(z.enum(FEATURES))
    .max(20)
    .nullish()
    .meta({
      description: "Keys of the features, for languages without their own texts.",
      example: ["channels", "team"],
    }),
  texts: textsOf(block({ max: 500 }), line({ max: 120 }))
    .nullish()
    .meta({ description: "Texts by language; null restores the defaults." }),
  sort_order: z
    .int()
    .min(0)
    .max(1000)
    .nullish()
    .meta({ description: "Position in the list of plans.", example: 2 }),
  is_active: flag.nullish().meta({ description: "True to offer the plan." }),
  eligible: flag.nullish().meta({ description: "True when the plan can be ordered and activated manually." }),
});

export const putPlan = operation({
  id: "putPlan",
  method: "PUT",
  path: "/api/admin/plans/{id}",
  tag: "Administration",
  summary: "Change a plan",
  description: `Needs a fresh proof of identity. Omitted fields stay unchanged. Existing subscriptions and orders keep their terms: \`kept_terms_count\` is their number. A plan that can be ordered has one of the names ${PLAN_NAMES.join(", ")}. ${EXPECTED_TEXT}`,
  access: "token",
  ability: "admin:*",
  record: "SubscriptionPlan",
  limit: { points: 60, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  body: PlanInput.extend({
    expected: PlanInput.optional().meta({
      description: "Values the caller last saw; 409 if one of them has changed.",
    }),
  }),
  output: z.object({
    success,
    message,
    plan: AdminPlan,
    kept_terms_count: count.meta({
      description: "Number of subscriptions and orders that keep their terms.",
    }),
  }),
  errors: ["identity_unproven", "stale"],
});

const amount = z.number().meta({ example: 9999 });
const reference = z
  .string()
  .meta({ description: "Reference to state on the bank transfer.", example: "T12345674" });
const bank = BankDetails.nullable();

const Order = z
  .object({
    id: recordId,
    reference,
    amount: amount.meta({ description: "Amount in `currency`." }),
    currency,
    bank: bank.meta({ description: "Bank account to transfer the amount to." }),
    expires_at: expiry.meta({ description: "When the order lapses." }),
  })
  .meta({ id: "Order", description: "An order that waits for its payment." });

export const createOrder = operation({
  id: "createOrder",
  method: "POST",
  path: "/api/billing/orders",
  tag: "Subscriptions",
  summary: "Order a plan and pay by bank transfer",
  description: `The order's reference belongs on the transfer; amount and bank details are mailed, too. An administrator activates the plan once the payment has arrived. An order lapses after 30 days; at most ${ORDERS_MAX} can be open.`,
  access: "token",
  ability: "*",
  limit: { points: 10, per: 3600, by: "account" },
  body: z.object({ plan_id: id.meta({ description: "ID of the plan to order." }) }),
  status: 201,
  output: z.object({ success, order: Order }),
  errors: ["orders_full"],
});

export const cancelOrder = operation({
  id: "cancelOrder",
  method: "DELETE",
  path: "/api/billing/orders/{id}",
  tag: "Subscriptions",
  summary: "Withdraw an unpaid order",
  access: "token",
  ability: "*",
  record: "Subscription",
  limit: { points: 10, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  output: z.object({ success, message }),
  errors: ["order_closed"],
});

/** The most sites that one list of an overview names. */
export const NAMED_MAX = 100;

const NamedSite = z.object({
  id: recordId,
  name: z.string().meta({ description: "Name of the site.", example: "Kaya Kahve" }),
  domain: z
    .string()
    .meta({ description: "Domain of the site, without scheme or path.", example: "example.com" }),
});

const BilledSubscription = z.object({
  id: recordId,
  plan: planName,
  status: z.enum(["active", "past_due", "expired"]).meta({ description: "State of the subscription." }),
  reference,
  amount: amount.meta({ description: "Amount paid for the current period, in `currency`." }),
  renewal_amount: amount.meta({ description: "Current price of a renewal." }),
  currency,
  site_slots: slots.meta({ description: "Number of sites it covers." }),
  used_slots: z.int().meta({ description: "Number of slots in use.", example: 2 }),
  monthly_credits: monthlyCredits,
  starts_at: timestamp.meta({ description: "When the subscription starts." }),
  ends_at: expiry.meta({ description: "When the subscription ends." }),
  slots_until: expiry
    .nullable()
    .meta({ description: "When its sites lose their slots; null if it has none." }),
  at_end: z
    .object({
      moved_count: count.meta({ description: "Number of sites that move to another slot." }),
      moved: z.array(NamedSite).meta({ description: "Sites that move to another slot." }),
      suspended_count: count.meta({ description: "Number of sites that are suspended." }),
      suspended: z.array(NamedSite).meta({ description: "Sites that are suspended." }),
    })
    .nullable()
    .meta({
      description:
        "Forecast of what happens at the end; null once it has happened. Each list has the first hundred sites.",
    }),
});

const BILLED_STATES = ["queued", "needs_data", "done", "skipped", "cancelled"] as const;

/** The most licences, and the most documents, that an overview lists. */
export const LICENCES_MAX = 500;
export const DOCUMENTS_MAX = 500;

const BilledLicence = z.object({
  id: recordId,
  site: NamedSite.nullable().meta({ description: "The licensed site; null once it is deleted." }),
  domain: z
    .string()
    .nullable()
    .meta({ description: "Domain of the site; null if unknown.", example: "example.com" }),
  customer: z.string().nullable().meta({
    description: "Name of the customer who owns the site; null if the caller does.",
    example: "Ayşe Kaya",
  }),
  status: z.enum(["pending", "active"]).meta({ description: "State of the licence." }),
  reference,
  amount: amount.meta({ description: "Amount in `currency`." }),
  currency,
  period_start: timestamp.meta({ description: "When the licence period starts." }),
  period_end: expiry.meta({ description: "When the licence period ends." }),
  pay_by: expiry.meta({ description: "Payment deadline." }),
});

export const getBilling = operation({
  id: "getBilling",
  method: "GET",
  path: "/api/billing",
  tag: "Subscriptions",
  summary: "Get the account's subscriptions, orders and licences",
  description:
    "Subscriptions, newest first, with a forecast for their sites; open orders and licences with the reference for the " +
    "transfer; the state of invoices. Team agents get 403 with the contact of the account's owner.",
  access: "token",
  output: z.object({
    success,
    plan: z
      .object({ name: planName, ends_at: expiry.meta({ description: "When the subscription ends." }) })
      .nullable()
      .meta({ description: "Plan of the subscription that ends last; null if none." }),
    slots: z
      .object({
        total: slots.meta({ description: "Number of slots." }),
        used: z.int().meta({ description: "Number of slots in use.", example: 2 }),
        remaining: z.int().meta({ description: "Number of free slots.", example: 3 }),
      })
      .meta({ description: "Slots of all subscriptions." }),
    bank: bank.meta({
      description: "Bank account to transfer money to; null until an administrator has set it.",
    }),
    subscriptions: z.array(BilledSubscription).meta({ description: "Subscriptions, newest first." }),
    orders: z
      .array(Order.omit({ bank: true }).extend({ plan: planName }))
      .meta({ description: "Open orders." }),
    licences: z.array(BilledLicence).meta({ description: "The first 500 licences: unpaid, then active." }),
    licences_count: count.meta({ description: "Number of all licences." }),
    documents: z
      .array(
        z.object({
          id: recordId,
          state: z
            .enum(BILLED_STATES)
            .meta({ description: "State of the invoice; `queued` until it is ready.", example: "queued" }),
          amount: amount.meta({ description: "Amount in `currency`." }),
          currency,
          paid_at: z.string().meta({ description: "Day of the payment, in Turkey.", example: "2027-11-20" }),
          number: z.string().nullable().meta({
            description: "Number of the invoice; null until it has one.",
            example: "TLA2027000001001",
          }),
          missing: z
            .array(z.string().meta({ example: "tax_number" }))
            .meta({ description: "Billing details that the invoice still needs." }),
          has_pdf: z.boolean().meta({ description: "True when there is a PDF.", example: false }),
        }),
      )
      .meta({ description: "The newest 500 invoices." }),
  }),
  errors: ["billing_of_owner"],
});

export const listBilledLicences = operation({
  id: "listBilledLicences",
  method: "GET",
  path: "/api/billing/licences",
  tag: "Subscriptions",
  summary: "List the licences of the account",
  description:
    "Pending and active licences, in pages; most urgent first by default. `q` searches site names and domains, customer " +
    "names, e-mail addresses and phone numbers, and references.",
  access: "token",
  query: listFilter({
    sorts: ["due", "period_end"],
    filters: {
      status: BilledLicence.shape.status.nullish().meta({ description: "Only licences in this state." }),
    },
  }).extend(pageQuery.shape),
  output: listOutput("licences", BilledLicence, "Licences on this page.", {
    meta: PageMeta,
    bank: bank.meta({
      description: "Bank account to transfer money to; null until an administrator has set it.",
    }),
  }),
  errors: ["billing_of_owner"],
});

/** The most that one list of what is due names. */
export const DUE_MAX = 20;

const Due = z
  .object({
    kind: z.enum(["past_due", "ends", "licence", "order"]).meta({
      description: "Kind of item. `past_due`: an ended subscription. `ends`: one that ends soon.",
      example: "licence",
    }),
    id: recordId.meta({ description: "ID of the subscription, order or licence." }),
    name: z
      .string()
      .meta({ description: "Name of the plan, or of the site for a licence.", example: "Kaya Kahve" }),
    site_id: recordId
      .nullable()
      .meta({ description: "ID of the licensed site; null for a subscription or an order." }),
    until: expiry.meta({
      description:
        "When the sites lose their slots, the subscription ends, the licence must be paid, or the order lapses.",
    }),
    overdue: z.boolean().meta({ description: "True when that day has passed." }),
    amount: amount.nullable().meta({ description: "Amount to transfer; null when another account pays." }),
    currency,
    reference: reference
      .nullable()
      .meta({ description: "Reference to state on the bank transfer; null when another account pays." }),
    contact: z
      .object({
        name: z.string().meta({ description: "Name of the account that pays.", example: "Ayşe Kaya" }),
        email: z.string().meta({ description: "E-mail address of the account that pays." }),
      })
      .nullable()
      .meta({ description: "Account that pays; null when it is the caller.", example: null }),
  })
  .meta({ id: "Due", description: "A payment or renewal that is due." });

export const getDue = operation({
  id: "getDue",
  method: "GET",
  path: "/api/billing/due",
  tag: "Subscriptions",
  summary: "List due payments and renewals",
  description: `Subscriptions that have ended or end within seven days, unpaid licences and open orders; most urgent first, at most ${DUE_MAX}. \`count\` is the number of all. Team agents see what their site depends on, and customers see the licences that a reseller opened for their sites, each with the \`contact\` of the account that pays.`,
  access: "token",
  output: z.object({
    success,
    due: z.array(Due).meta({ description: "Due payments and renewals, most urgent first." }),
    data: z.array(Due).meta({ description: "Same as `due`." }),
    count: count.meta({ description: "Number of all due items, listed or not." }),
  }),
});
