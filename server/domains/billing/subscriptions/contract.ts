import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listFilter, listOutput, PageMeta, pageQuery } from "@/server/core/list";
import { LOCALES } from "@/server/core/locale";
import {
  byId,
  count,
  expiry,
  flag,
  id,
  queryId,
  recordId,
  textBlock,
  textLine,
  timestamp,
  updatedAt,
} from "@/server/core/schema";
import { series, seriesQuery } from "@/server/core/series";
import { BankDetails } from "@/server/core/settings";
import { EXPECTED_DESCRIPTION } from "@/server/core/stale";
import { BillingProfileChange } from "@/server/domains/billing/billing-profile/contract";
import { OPEN_ORDERS_MAX, PLAN_FEATURES, PLAN_NAMES } from "./policy";

const planName = f.text("Name of the plan.", "Pro");
const price = f.integer("Price of one billing period in whole units of `currency`, VAT included.", 9999);
const currency = f.text("ISO 4217 currency code.", "TRY");
const slots = z.int().meta({ example: 5 });
const monthlyCredits = f.integer("Credits granted each month.", 10_000);

const Plan = z.object({
  id: recordId,
  name: planName,
  slug: f.text("Unique key of the plan.", "pro"),
  price,
  currency,
  billing_period: f.text("Length of a billing period: `monthly` or `yearly`.", "yearly"),
  site_slots: slots.meta({ description: "Number of sites the plan covers." }),
  monthly_credits: monthlyCredits,
  is_active: f.boolean("True when the plan is offered."),
  sort_order: f.integer("Position in the list of plans.", 2),
});

const SubscriptionPlan = Plan.extend({
  description: f.text("Description of the plan.", "For growing teams that answer on several sites."),
  features: f.list(z.string(), "Features of the plan.", ["5 sites", "AI assistant"]),
});

const READ_OPERATION = { tag: "Subscriptions", access: "token" } as const;

export const listSubscriptionPlans = operation({
  id: "listSubscriptionPlans",
  method: "GET",
  path: "/api/subscription-plans",
  ...READ_OPERATION,
  summary: "List the plans that can be ordered",
  description: "Texts are in the caller's language.",
  output: f.success({ data: f.list(SubscriptionPlan, "Plans on offer."), count }),
});

function buildPlanTextsSchema(description: z.ZodType<string>, feature: z.ZodType<string>) {
  const texts = z.object({
    description: f.nullish(description, "Description of the plan; null to use the default."),
    features: f.nullish(z.array(feature).max(20), "Features of the plan; null to use the default."),
  });
  return z
    .partialRecord(z.enum(LOCALES), texts)
    .meta({ example: { en: { description: "For growing teams.", features: ["5 sites"] } } });
}
const PlanTextsSchema = buildPlanTextsSchema(z.string(), z.string());
export type PlanTexts = z.output<typeof PlanTextsSchema>;

const AdminPlan = Plan.extend({
  features: f.list(z.string(), "Keys of the features, for languages without their own texts.", [
    "channels",
    "team",
  ]),
  texts: PlanTextsSchema.meta({ description: "Texts by language." }),
  eligible: f.boolean("True when the plan is available for orders and manual activation."),
  live_count: count.meta({ description: "Number of active or past-due subscriptions and open orders." }),
  updated_at: updatedAt,
}).meta({ id: "AdminPlan", description: "A plan as administrators see it." });

const ADMIN_OPERATION = { tag: "Administration", access: "token", ability: "admin:*" } as const;

export const listPlans = operation({
  id: "listPlans",
  method: "GET",
  path: "/api/admin/plans",
  ...ADMIN_OPERATION,
  summary: "List all plans with their terms and texts",
  output: listOutput("plans", AdminPlan, "All plans."),
});

const PlanInput = z.object({
  name: f.nullish(textLine({ max: 60 }), "Name of the plan.", "Pro"),
  slug: f.nullish(
    z
      .string()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      .max(60),
    "Unique key of the plan: lower-case letters, digits and hyphens.",
    "pro",
  ),
  price: f.nullish(
    price.min(1).max(10_000_000),
    "Price of one billing period in whole units of the currency, VAT included.",
  ),
  site_slots: f.nullish(slots.min(1).max(10_000), "Number of sites the plan covers."),
  monthly_credits: f.nullish(monthlyCredits.min(0).max(100_000_000), "Credits granted each month."),
  features: f.nullish(
    z.array(z.enum(PLAN_FEATURES)).max(20),
    "Keys of the features, for languages without their own texts.",
    ["channels", "team"],
  ),
  texts: f.nullish(
    buildPlanTextsSchema(textBlock({ max: 500 }), textLine({ max: 120 })),
    "Texts by language; null restores the defaults.",
  ),
  sort_order: f.nullish(z.int().min(0).max(1000), "Position in the list of plans.", 2),
  is_active: f.nullish(flag, "True when the plan is offered."),
  eligible: f.nullish(flag, "True when the plan is available for orders and manual activation."),
});

export const putPlan = operation({
  id: "putPlan",
  method: "PUT",
  path: "/api/admin/plans/{id}",
  ...ADMIN_OPERATION,
  summary: "Change a plan",
  description: `Needs a recent proof of identity. Omitted fields stay unchanged. Existing subscriptions and orders keep their terms; \`kept_terms_count\` is their number. A plan that can be ordered must have one of the names ${PLAN_NAMES.join(", ")}. ${EXPECTED_DESCRIPTION}`,
  ...byId("SubscriptionPlan"),
  limit: { points: 60, per: 3600, by: "account" },
  body: PlanInput.extend({
    expected: PlanInput.optional().meta({
      description: "Values the caller last saw; 409 if one of them has changed.",
    }),
  }),
  output: f.changeOutput({
    plan: AdminPlan,
    kept_terms_count: count.meta({
      description: "Number of subscriptions and orders that keep their terms.",
    }),
  }),
  errors: ["identity_unproven", "stale"],
});

const amount = z.number().meta({ example: 9999 });
const reference = f.text("Reference to state on the bank transfer.", "T12345674");
const licenceReference = f.text("Reference to state on the bank transfer.", "L12345674");
const nullableBankDetails = BankDetails.nullable();

const Order = f.namedObject("Order", "An unpaid order.", {
  id: recordId,
  reference,
  amount: amount.meta({ description: "Amount in `currency`." }),
  currency,
  bank: nullableBankDetails.meta({ description: "Bank account to transfer the amount to." }),
  expires_at: expiry.meta({ description: "When the order lapses." }),
});

const CHANGE_OPERATION = { tag: "Subscriptions", access: "token", ability: "*" } as const;

export const createOrder = operation({
  id: "createOrder",
  method: "POST",
  path: "/api/billing/orders",
  ...CHANGE_OPERATION,
  summary: "Order a plan and pay by bank transfer",
  description: `State the order's reference on the bank transfer; an email repeats it with amount and bank details. An administrator activates the plan once the payment has arrived. An order lapses after 30 days; at most ${OPEN_ORDERS_MAX} can be open. Agents get 403 (\`billing_of_owner\`), administrators 403.`,
  limit: { points: 10, per: 3600, by: "account" },
  body: z.object({
    plan_id: id.meta({ description: "ID of the plan to order." }),
    bill_to: f.nullish(
      BillingProfileChange,
      "Billing details to save with the order; null to keep the stored ones.",
    ),
    replaces_order_ids: f.nullish(
      z.array(id).max(OPEN_ORDERS_MAX),
      "IDs of open orders of the account to cancel with this order.",
      [],
    ),
  }),
  status: 201,
  output: f.success({ order: Order }),
  errors: ["orders_full", "stale", "billing_of_owner"],
});

export const OpenOrder = Order.omit({ bank: true }).extend({ plan: planName });

export const getCheckout = operation({
  id: "getCheckout",
  method: "GET",
  path: "/api/billing/checkout",
  ...READ_OPERATION,
  summary: "Preview the order of a plan",
  description:
    "Returns the price with VAT, the running subscriptions with the effect on their sites, and open orders. Nothing is ordered. Agents get 403 (`billing_of_owner`), administrators 403.",
  query: z.object({ plan_id: queryId.meta({ description: "ID of the plan." }) }),
  output: f.success({
    checkout: f.namedObject("Checkout", "The order as it would be placed now.", {
      plan: SubscriptionPlan.meta({ description: "The plan, in the caller's language." }),
      amount: amount.meta({ description: "Amount to transfer in `currency`, VAT included." }),
      net_amount: amount.meta({ description: "Amount without VAT.", example: 8332.5 }),
      vat_amount: amount.meta({ description: "VAT in the amount.", example: 1666.5 }),
      vat_rate: f.integer("VAT rate in per cent.", 20),
      currency,
      period_months: f.integer("Length of the paid period in months.", 12),
      current: f.list(
        z.object({
          id: recordId.meta({ description: "ID of the subscription." }),
          plan: planName,
          is_same_plan: f.boolean("True if it is the ordered plan.", false),
          is_trial: f.boolean(
            "True for a free trial, which the ordered plan replaces when it is activated.",
            false,
          ),
          status: f.oneOf(["active", "past_due"], "State of the subscription."),
          reference: f.nullable(reference, "Reference of its renewal; null for a trial."),
          ends_at: expiry.meta({ description: "When it ends.", example: "2028-11-20T09:30:00.000000Z" }),
          slots_until: expiry.meta({
            description: "When its sites lose their slots.",
            example: "2028-11-27T09:30:00.000000Z",
          }),
          moved_count: count.meta({
            description: "Number of its sites that will have a slot of the ordered or another plan.",
          }),
          suspended_count: count.meta({
            description: "Number of its sites that will be suspended.",
            example: 0,
          }),
        }),
        "The account's running subscriptions, with the effect on their sites: of a trial when the order is activated, of others when they end.",
      ),
      restored_count: count.meta({
        description: "Number of suspended sites that are active again once the plan is activated.",
        example: 0,
      }),
      orders: f.list(OpenOrder, "Open orders of the account.", []),
      missing_details: f.list(
        z.string().meta({ example: "tax_number" }),
        "Billing details that the invoice needs and that are not stored.",
      ),
    }),
  }),
  errors: ["billing_of_owner"],
});

export const cancelOrder = operation({
  id: "cancelOrder",
  method: "DELETE",
  path: "/api/billing/orders/{id}",
  ...CHANGE_OPERATION,
  summary: "Withdraw an unpaid order",
  ...byId("Subscription"),
  limit: { points: 10, per: 3600, by: "account" },
  output: f.changeOutput(),
  errors: ["order_closed"],
});

export const FORECAST_SITES_MAX = 100;

const NamedSite = z.object({
  id: recordId,
  name: f.text("Name of the site.", "Kaya Kahve"),
  domain: f.text("Domain of the site, without scheme or path.", "example.com"),
});

const BilledSubscription = z.object({
  id: recordId,
  plan_id: recordId.meta({ description: "ID of the plan." }),
  plan: planName,
  status: f.oneOf(
    ["active", "past_due", "expired"],
    "State of the subscription. `past_due`: it has ended, but its sites keep their slots for seven more days.",
  ),
  is_trial: f.boolean("True for a free trial.", false),
  reference,
  amount: amount.meta({ description: "Amount paid for the current period, in `currency`." }),
  renewal_amount: amount.meta({ description: "Current price of a renewal." }),
  currency,
  site_slots: slots.meta({ description: "Number of sites it covers." }),
  used_slots: f.integer("Number of slots in use.", 2),
  monthly_credits: monthlyCredits,
  starts_at: timestamp.meta({ description: "When the subscription starts." }),
  ends_at: expiry.meta({
    description: "When the subscription ends.",
    example: "2028-11-20T09:30:00.000000Z",
  }),
  reminder_days: f.list(
    z.string().meta({ example: "2028-11-13" }),
    "Days in Turkey on which an email reminds of the end; empty once it has expired.",
  ),
  slots_until: f.nullable(
    expiry,
    "When the subscription's sites lose their slots; null once it has expired.",
    "2028-11-27T09:30:00.000000Z",
  ),
  at_end: f.nullable(
    z.object({
      moved_count: count.meta({ description: "Number of sites that move to another slot." }),
      moved: f.list(NamedSite, "Sites that move to another slot."),
      suspended_count: count.meta({ description: "Number of sites that are suspended." }),
      suspended: f.list(NamedSite, "Sites that are suspended.", [
        { id: 8, name: "Kaya Fırın", domain: "firin.example.com" },
      ]),
    }),
    "Forecast for the sites at `slots_until`; null once it has expired. Each list has at most 100 sites.",
  ),
});

const BILLED_DOCUMENT_STATES = ["queued", "needs_data", "done", "skipped", "cancelled"] as const;
const BILLED_STATE_DESCRIPTION =
  "State of the invoice: `queued` until it is ready, `needs_data` while billing details are missing, `done` when " +
  "ready, `skipped` if none is created, `cancelled` after a reversal.";

export const LICENCES_MAX = 500;
export const DOCUMENTS_MAX = 500;

const BilledLicence = z.object({
  id: recordId,
  site: f.nullable(NamedSite, "The licensed site; null once it is deleted."),
  domain: f.nullable(z.string(), "Domain of the site; null if unknown.", "example.com"),
  customer: f.nullable(
    z.string(),
    "Name of the customer who owns the site; null if the caller does.",
    "Ayşe Kaya",
  ),
  status: f.oneOf(["pending", "active"], "State of the licence.", "pending"),
  reference: licenceReference,
  amount: amount.meta({ description: "Amount in `currency`.", example: 3999 }),
  currency,
  period_start: timestamp.meta({ description: "When the licence period starts." }),
  period_end: expiry.meta({
    description: "When the licence period ends.",
    example: "2028-11-20T09:30:00.000000Z",
  }),
  pay_by: expiry.meta({ description: "Payment deadline.", example: "2027-12-04T09:30:00.000000Z" }),
});

export const getBilling = operation({
  id: "getBilling",
  method: "GET",
  path: "/api/billing",
  ...READ_OPERATION,
  summary: "Get the account's subscriptions, orders and licences",
  description:
    "Returns subscriptions (newest first) with a forecast for their sites, open orders and licences with their transfer " +
    "references, and the state of invoices. Team agents get 403 (`billing_of_owner`) with the owner as `contact`.",
  output: f.success({
    plan: f.nullable(
      z.object({
        name: planName,
        ends_at: expiry.meta({
          description: "When the subscription ends.",
          example: "2028-11-20T09:30:00.000000Z",
        }),
      }),
      "Plan of the subscription that ends last; null if none.",
    ),
    slots: z
      .object({
        total: slots.meta({ description: "Number of slots." }),
        used: f.integer("Number of slots in use.", 2),
        remaining: f.integer("Number of free slots.", 3),
      })
      .meta({ description: "Slots of all subscriptions." }),
    bank: nullableBankDetails.meta({
      description: "Bank account to transfer money to; null until an administrator has set it.",
    }),
    subscriptions: f.list(BilledSubscription, "Subscriptions, newest first."),
    orders: f.list(OpenOrder, "Open orders.", []),
    licences: f.list(BilledLicence, "The first 500 licences: unpaid, then active."),
    licences_count: count.meta({ description: "Number of all licences." }),
    documents: f.list(
      z.object({
        id: recordId,
        state: f.oneOf(BILLED_DOCUMENT_STATES, BILLED_STATE_DESCRIPTION, "queued"),
        amount: amount.meta({ description: "Amount in `currency`." }),
        currency,
        paid_at: f.text("Day of the payment, in Turkey.", "2027-11-20"),
        number: f.nullable(z.string(), "Number of the invoice; null until it has one.", null),
        missing: f.list(
          z.string().meta({ example: "tax_number" }),
          "Missing billing details, such as `tax_number`.",
          [],
        ),
        deadline_at: f.nullable(
          timestamp,
          "Legal deadline for issuing it while it waits for billing details; otherwise null.",
          null,
        ),
        has_pdf: f.boolean("True when there is a PDF.", false),
      }),
      "The newest 500 invoices.",
    ),
  }),
  errors: ["billing_of_owner"],
});

export const listBilledLicences = operation({
  id: "listBilledLicences",
  method: "GET",
  path: "/api/billing/licences",
  ...READ_OPERATION,
  summary: "List the licences of the account",
  description:
    "Lists pending and active licences, most urgent first by default. `q` searches names and domains of sites, names, " +
    "email addresses and phone numbers of customers, and references.",
  query: listFilter({
    sorts: ["due", "period_end"],
    filters: {
      status: f.nullish(BilledLicence.shape.status, "Only licences in this state."),
    },
  }).extend(pageQuery.shape),
  output: listOutput("licences", BilledLicence, "Licences on this page.", {
    meta: PageMeta,
    bank: nullableBankDetails.meta({
      description: "Bank account to transfer money to; null until an administrator has set it.",
    }),
  }),
  errors: ["billing_of_owner"],
});

export const LICENCE_PERIODS = ["next_12m", "next_30d"] as const;

export const getLicencesDueSeries = operation({
  id: "getLicencesDueSeries",
  method: "GET",
  path: "/api/billing/licences/series",
  ...READ_OPERATION,
  summary: "Get the account's licences by due date",
  description:
    "Counts each licence of `GET /api/billing/licences` once, in the interval in which the next payment for its site is due: an " +
    "unpaid licence at `pay_by`, or today if that has passed, a paid one at its `period_end`, at the price of a renewal. A paid " +
    "licence does not count if the site is deleted, has a subscription's slot or has its next year already. Renewals after the " +
    "next one are not included.",
  query: seriesQuery({ periods: LICENCE_PERIODS }),
  output: f.success({
    data: series("LicencesDueSeries", "Licences by due date.", {
      licences: "licences to pay.",
      amount: "their price in TRY, VAT included.",
    }),
  }),
  errors: ["billing_of_owner"],
});

export const DUE_ITEMS_MAX = 20;

const DueItem = f.namedObject("Due", "A payment or renewal that is due.", {
  kind: f.oneOf(
    ["expired", "past_due", "ends", "licence", "order"],
    "Kind of item. `expired`: a subscription that expired, was replaced or whose payment was reversed, and the sites " +
      "that this suspended are still suspended. `past_due`: an ended subscription whose sites still work. `ends`: a " +
      "subscription that ends within seven days. `licence`: an unpaid licence. `order`: an unpaid order.",
    "licence",
  ),
  id: recordId.meta({ description: "ID of the subscription, order or licence." }),
  name: f.text("Name of the plan, or of the site for a licence.", "Kaya Kahve"),
  site_id: f.nullable(
    recordId,
    "ID of the licensed site, or of the suspended site for `expired` if it is the only one; otherwise null.",
  ),
  plan_id: f.nullable(
    recordId,
    "ID of the plan to order again for `expired`, or to order after a trial; null if it is no longer offered, and otherwise.",
    null,
  ),
  is_trial: f.boolean("True if the subscription is a free trial.", false),
  sites_count: f.nullable(count, "Number of suspended sites for `expired`; otherwise null.", null),
  site_name: f.nullable(
    z.string(),
    "Name of the suspended site if `sites_count` is 1; otherwise null.",
    null,
  ),
  until: expiry.meta({
    description:
      "Depends on `kind`. `expired`: when the sites lost their slots. `past_due`: when the sites lose their slots. `ends`: when the subscription ends. `licence`: " +
      "payment deadline. `order`: when the order lapses.",
  }),
  overdue: f.boolean(
    "True for `expired` and `past_due`, and for a licence whose payment deadline has passed.",
    false,
  ),
  amount: f.nullable(
    amount,
    "Amount to transfer, or current price of the plan for `expired`; null when another account pays.",
    3999,
  ),
  currency,
  reference: f.nullable(
    licenceReference,
    "Reference to state on the bank transfer; null for `expired`, for a trial, and when another account pays.",
  ),
  contact: f.nullable(
    z.object({
      name: f.text("Name of the account that pays.", "Ayşe Kaya"),
      email: f.text("Email address of the account that pays."),
    }),
    "Account that pays; null when it is the caller.",
    null,
  ),
});

const WaitingInvoices = f.namedObject(
  "WaitingInvoices",
  "The caller's invoices that wait for billing details.",
  {
    count: count.meta({ description: "Number of these invoices." }),
    missing: f.list(
      z.string().meta({ example: "tax_number" }),
      "Missing billing details; empty if the tax office did not accept the details.",
    ),
    deadline_at: timestamp.meta({ description: "Earliest legal deadline for issuing them." }),
  },
);

export const getDue = operation({
  id: "getDue",
  method: "GET",
  path: "/api/billing/due",
  ...READ_OPERATION,
  summary: "List due payments and renewals",
  description: `Lists subscriptions that have ended or end within seven days, unpaid licences and open orders: at most ${DUE_ITEMS_MAX}, most urgent first. An expired subscription is listed while sites are suspended because of it, unless the account has an open order, which agents do not see, or a free slot for each of these sites. \`count\` is the number of all items, listed or not. Team agents get the items that their site depends on. Customers also get the licences that a reseller opened for their sites. If another account pays, \`contact\` names it.`,
  output: f.success({
    due: f.list(DueItem, "Due payments and renewals, most urgent first."),
    data: f.list(DueItem, "Same as `due`."),
    count: count.meta({ description: "Number of all due items, listed or not." }),
    waiting_invoices: f.nullable(
      WaitingInvoices,
      "Invoices that wait for the caller's billing details; null without any, and for team agents.",
    ),
  }),
});
