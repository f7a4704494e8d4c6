import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
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
} from "@/server/core/schema";
import { BankDetails } from "@/server/core/settings";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { FEATURES, ORDERS_MAX, PLAN_NAMES } from "./policy";

const planName = z.string().meta({ example: "Pro" });
const price = z.int().meta({ example: 9999 });
const currency = z.string().meta({ example: "TRY" });
const slots = z.int().meta({ example: 5 });
const monthlyCredits = z.int().meta({ example: 10_000 });

const Plan = z.object({
  id: recordId,
  name: planName,
  slug: z.string().meta({ example: "pro" }),
  price,
  currency,
  billing_period: z.string().meta({ example: "yearly" }),
  site_slots: slots,
  monthly_credits: monthlyCredits,
  is_active: z.boolean(),
  sort_order: z.int().meta({ example: 2 }),
});

const SubscriptionPlan = Plan.extend({
  description: z.string().meta({ example: "For growing teams that answer on several sites." }),
  features: z.array(z.string()).meta({ example: ["5 sites", "AI assistant"] }),
});

export const listSubscriptionPlans = operation({
  id: "listSubscriptionPlans",
  method: "GET",
  path: "/api/subscription-plans",
  tag: "Subscriptions",
  summary: "List the plans that can be activated manually",
  description: "Texts are in the caller's language.",
  access: "token",
  status: 200,
  output: z.object({ success, data: z.array(SubscriptionPlan), count }),
});

/** Texts of a plan by language, where they differ from those of the dictionary. */
function textsOf(description: z.ZodType<string>, feature: z.ZodType<string>) {
  const texts = z.object({
    description: description.nullish(),
    features: z.array(feature).max(20).nullish(),
  });
  return z
    .partialRecord(z.enum(LOCALES), texts)
    .meta({ example: { en: { description: "For growing teams.", features: ["5 sites"] } } });
}
const Texts = textsOf(z.string(), z.string());
export type PlanTexts = z.output<typeof Texts>;

const AdminPlan = Plan.extend({
  /** Keys of the dictionary's features, for languages without texts of their own. */
  features: z.array(z.string()).meta({ example: ["channels", "team"] }),
  texts: Texts,
  /** Whether it can be ordered, and activated by hand. */
  eligible: z.boolean(),
  /** Subscriptions and orders of this plan that have not ended. */
  live_count: count,
  updated_at: timestamp,
}).meta({ id: "AdminPlan" });

export const listPlans = operation({
  id: "listPlans",
  method: "GET",
  path: "/api/admin/plans",
  tag: "Administration",
  summary: "List every plan with its terms and texts",
  access: "token",
  ability: "admin:*",
  status: 200,
  output: z.object({ success, plans: z.array(AdminPlan), data: z.array(AdminPlan), count }),
});

const PlanInput = z.object({
  name: line({ max: 60 }).meta({ example: "Pro" }).nullish(),
  slug: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(60)
    .meta({ example: "pro" })
    .nullish(),
  /** Whole units, for one billing period, VAT included. */
  price: price.min(1).max(10_000_000).nullish(),
  site_slots: slots.min(1).max(10_000).nullish(),
  monthly_credits: monthlyCredits.min(0).max(100_000_000).nullish(),
  features: z
    .array(z.enum(FEATURES))
    .max(20)
    .meta({ example: ["channels", "team"] })
    .nullish(),
  texts: textsOf(block({ max: 500 }), line({ max: 120 })).nullish(),
  sort_order: z.int().min(0).max(1000).meta({ example: 2 }).nullish(),
  is_active: flag.nullish(),
  eligible: flag.nullish(),
});

export const putPlan = operation({
  id: "putPlan",
  method: "PUT",
  path: "/api/admin/plans/{id}",
  tag: "Administration",
  summary: "Change a plan",
  description:
    "Needs a fresh proof of identity. " +
    "Fields that are left out stay as they are. What was bought or ordered keeps its terms: `kept_terms_count` says how many " +
    `subscriptions and orders that is. A plan that can be ordered has one of the names ${PLAN_NAMES.join(", ")}. ${EXPECTED_TEXT}`,
  access: "token",
  ability: "admin:*",
  record: "SubscriptionPlan",
  limit: { points: 60, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  body: PlanInput.extend({ expected: PlanInput.optional() }),
  status: 200,
  output: z.object({ success, message, plan: AdminPlan, kept_terms_count: count }),
  errors: ["identity_unproven", "record_not_found", "stale"],
});

const amount = z.number().meta({ example: 9999 });
const reference = z.string().meta({ example: "T12345674" });
const bank = BankDetails.nullable();

const Order = z
  .object({ id: recordId, reference, amount, currency, bank, expires_at: expiry })
  .meta({ id: "Order" });

export const createOrder = operation({
  id: "createOrder",
  method: "POST",
  path: "/api/billing/orders",
  tag: "Subscriptions",
  summary: "Order a plan and pay by bank transfer",
  description:
    "The order's reference belongs on the transfer; amount and bank details are mailed, too. An administrator activates the " +
    `plan once the payment has arrived. An order lapses after 30 days; at most ${ORDERS_MAX} can be open.`,
  access: "token",
  ability: "*",
  limit: { points: 10, per: 3600, by: "account" },
  body: z.object({ plan_id: id }),
  status: 201,
  output: z.object({ success, order: Order }),
  errors: ["orders_full"],
});

export const cancelOrder = operation({
  id: "cancelOrder",
  method: "DELETE",
  path: "/api/billing/orders/{id}",
  tag: "Subscriptions",
  summary: "Withdraw an order that is not paid yet",
  access: "token",
  ability: "*",
  record: "Subscription",
  limit: { points: 10, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  status: 200,
  output: z.object({ success, message }),
  errors: ["record_not_found", "order_closed"],
});

/** The most sites that one list of an overview names. */
export const NAMED_MAX = 100;

const NamedSite = z.object({
  id: recordId,
  name: z.string().meta({ example: "Kaya Kahve" }),
  domain: z.string().meta({ example: "example.com" }),
});

const BilledSubscription = z.object({
  id: recordId,
  plan: planName,
  status: z.enum(["active", "past_due", "expired"]),
  reference,
  amount,
  /** What a renewal costs now. */
  renewal_amount: amount,
  currency,
  site_slots: slots,
  used_slots: z.int().meta({ example: 2 }),
  monthly_credits: monthlyCredits,
  starts_at: timestamp,
  ends_at: expiry,
  /** Until when its sites keep their slots; null once they have none. */
  slots_until: expiry.nullable(),
  /** What would happen then, as things are; null once it has happened. Each list names the first hundred. */
  at_end: z
    .object({
      moved_count: count,
      moved: z.array(NamedSite),
      suspended_count: count,
      suspended: z.array(NamedSite),
    })
    .nullable(),
});

const BILLED_STATES = ["queued", "needs_data", "done", "skipped", "cancelled"] as const;

/** The most licences, and the most documents, that an overview lists. */
export const LICENCES_MAX = 500;
export const DOCUMENTS_MAX = 500;

const BilledLicence = z.object({
  id: recordId,
  /** Null once it is deleted. */
  site: NamedSite.nullable(),
  /** Null when it is unknown. */
  domain: z.string().nullable().meta({ example: "example.com" }),
  /** Whose site it is; null when it is the caller's. */
  customer: z.string().nullable().meta({ example: "Ayşe Kaya" }),
  status: z.enum(["pending", "active"]),
  reference,
  amount,
  currency,
  period_start: timestamp,
  period_end: expiry,
  pay_by: expiry,
});

export const getBilling = operation({
  id: "getBilling",
  method: "GET",
  path: "/api/billing",
  tag: "Subscriptions",
  summary: "Get what the account has bought, and what is to be paid",
  description:
    "Subscriptions, the newest first, with what will become of their sites; open orders and licences with the reference for " +
    "the transfer; the state of the documents of payments. Team agents get 403 with the contact of the account's owner.",
  access: "token",
  status: 200,
  output: z.object({
    success,
    /** Of the subscription that lasts longest. */
    plan: z.object({ name: planName, ends_at: expiry }).nullable(),
    slots: z.object({
      total: slots,
      used: z.int().meta({ example: 2 }),
      remaining: z.int().meta({ example: 3 }),
    }),
    /** Where to transfer money to; null until an administrator has set it. */
    bank,
    subscriptions: z.array(BilledSubscription),
    orders: z.array(Order.omit({ bank: true }).extend({ plan: planName })),
    /** The first five hundred: those to be paid, then those that run. */
    licences: z.array(BilledLicence),
    licences_count: count,
    /** The newest five hundred. */
    documents: z.array(
      z.object({
        id: recordId,
        /** `queued` until it is there, whatever it is that is being done. */
        state: z.enum(BILLED_STATES).meta({ example: "queued" }),
        amount,
        currency,
        paid_at: z.string().meta({ example: "2027-11-20" }),
        number: z.string().nullable().meta({ example: "TLA2027000001001" }),
        /** Fields of the billing details that it lacks. */
        missing: z.array(z.string().meta({ example: "tax_number" })),
        has_pdf: z.boolean().meta({ example: false }),
      }),
    ),
  }),
  errors: ["billing_of_owner"],
});

export const listBilledLicences = operation({
  id: "listBilledLicences",
  method: "GET",
  path: "/api/billing/licences",
  tag: "Subscriptions",
  summary: "List the licences that the account pays for",
  description:
    "Those that wait for their payment and those that run, page by page; the most urgent first unless sorted otherwise. `q` " +
    "finds sites by name and domain, customers by name, e-mail address and telephone, and references.",
  access: "token",
  query: listFilter({
    sorts: ["due", "period_end"],
    filters: { status: BilledLicence.shape.status.nullish() },
  }).extend(pageQuery.shape),
  status: 200,
  output: z.object({
    success,
    licences: z.array(BilledLicence),
    data: z.array(BilledLicence),
    count,
    meta: PageMeta,
    bank,
  }),
  errors: ["billing_of_owner"],
});

/** The most that one list of what is due names. */
export const DUE_MAX = 20;

const Due = z
  .object({
    kind: z.enum(["past_due", "ends", "licence", "order"]).meta({ example: "licence" }),
    /** Of the subscription, the order or the licence. */
    id: recordId,
    /** Of the plan; for a licence, of its site. */
    name: z.string().meta({ example: "Kaya Kahve" }),
    site_id: recordId.nullable(),
    /**
     * When the sites of an ended subscription lose their slots, a subscription ends, a licence must be paid, or an order
     * lapses.
     */
    until: expiry,
    overdue: z.boolean(),
    /** What to transfer; null for whoever somebody else pays for. */
    amount: amount.nullable(),
    currency,
    reference: reference.nullable(),
    /** Who can settle it; null when it is the caller. */
    contact: z
      .object({ name: z.string().meta({ example: "Ayşe Kaya" }), email: z.string() })
      .nullable()
      .meta({ example: null }),
  })
  .meta({ id: "Due" });

export const getDue = operation({
  id: "getDue",
  method: "GET",
  path: "/api/billing/due",
  tag: "Subscriptions",
  summary: "List what is to be paid or renewed now",
  description:
    "Subscriptions that have ended or end within seven days, licences that wait for their payment, and open orders; the most " +
    `urgent first, at most ${DUE_MAX}. \`count\` is the number of all. Team agents see what their site depends on, and ` +
    "customers the licences that a reseller opened for their sites, each with the `contact` of who pays.",
  access: "token",
  status: 200,
  output: z.object({ success, due: z.array(Due), data: z.array(Due), count }),
});
