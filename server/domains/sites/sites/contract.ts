import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV_DOWNLOAD, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import {
  block,
  count,
  createdAt,
  domainName,
  expiry,
  flag,
  hexColor,
  id,
  line,
  MAX_ID,
  message,
  pathId,
  queryFlag,
  queryInt,
  recordId,
  success,
  updatedAt,
} from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { LICENCE_PAYMENT_DAYS, SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";
import { asksForPage, LIST_MAX, MESSAGES_MAX, SUSPENSION_REASONS, WALK } from "./policy";

/** What every site has (docs/contract.md 2.3). Secrets are masked: see each field. */
const Site = z.object({
  id: recordId,
  name: z.string().meta({ description: "Name of the site.", example: "Kaya Kahve" }),
  domain: z
    .string()
    .meta({ description: "Domain of the site, without scheme or path.", example: "example.com" }),
  user_id: recordId.meta({ description: "ID of the account that owns the site." }),
  api_key: z
    .string()
    .meta({ description: "Public key of the widget, masked as `dsk_****abcd`.", example: "dsk_****abcd" }),
  is_active: z.boolean().meta({ description: "True when the site is active." }),
  suspended_reason: z
    .enum(SUSPENSION_REASONS)
    .nullable()
    .meta({ description: "Null while the site is active.", example: null }),
  system_prompt: z.string().nullable().meta({
    description: "Instructions for the AI assistant; null for agents.",
    example: "Answer briefly and politely.",
  }),
  widget_color: z.string().meta({ description: "Colour of the widget, `#RRGGBB`.", example: "#4F46E5" }),
  widget_position: z
    .string()
    .meta({ description: "Corner of the page where the widget appears.", example: "bottom-right" }),
  welcome_message: z
    .string()
    .meta({ description: "First message of the widget.", example: "Hello! How can we help you?" }),
  bot_name: z.string().meta({ description: "Name of the AI assistant.", example: "Ada" }),
  ai_enabled: z.boolean().meta({ description: "True when the AI assistant answers." }),
  similarity_threshold: z
    .number()
    .meta({ description: "Minimum similarity of question and known content, from 0 to 1.", example: 0.75 }),
  ai_provider_api_key: z.string().nullable().meta({
    description: "The site's own key at an AI provider: write-only, masked, null if none.",
    example: null,
  }),
  subscription_id: recordId
    .nullable()
    .meta({ description: "ID of the subscription that pays for the site; null if none." }),
  settings: z
    .object({
      max_messages_per_session: z
        .int()
        .meta({ description: "Maximum number of messages in a session.", example: 50 }),
    })
    .meta({ description: "Further settings." }),
  created_at: createdAt,
  updated_at: updatedAt,
});

const ListedSite = Site.extend({
  owner_name: z.string().optional().meta({
    description: "Name of the account that owns the site; in paged lists only.",
    example: "Ayşe Kaya",
  }),
}).meta({ id: "Site", description: "A site. Secrets are masked: see each field." });

/** What people set of a site; what is left out, or null, is its default. */
const SiteSettings = z.object({
  widget_color: hexColor.nullish().meta({ description: "Colour of the widget, `#RRGGBB` or `#RGB`." }),
  widget_position: z
    .enum(["bottom-right", "bottom-left"])
    .nullish()
    .meta({ description: "Corner of the page where the widget appears." }),
  welcome_message: block({ max: 500 }).nullish().meta({
    description: "First message of the widget, at most 500 characters.",
    example: "Hello! How can we help you?",
  }),
  bot_name: line({ max: 60 }).nullish().meta({ description: "Name of the AI assistant.", example: "Ada" }),
  ai_enabled: flag.nullish().meta({ description: "True when the AI assistant answers." }),
  similarity_threshold: z
    .number()
    .min(0)
    .max(1)
    .nullish()
    .meta({ description: "Minimum similarity of question and known content, from 0 to 1.", example: 0.75 }),
  system_prompt: block({ max: 8000 }).nullish().meta({
    description: "Instructions for the AI assistant, at most 8,000 characters.",
    example: "Answer briefly and politely.",
  }),
});

const siteName = line({ max: 255 }).meta({ description: "Name of the site.", example: "Kaya Kahve" });

/** The answer to a 402 of creation and activation. */
export const Confirmation = z.object({
  confirm_pay_per_site: flag.nullish().meta({
    description: "True to confirm the 402 and open an annual licence for this site. Resellers only.",
  }),
  confirm_paid_site: flag
    .meta({ deprecated: true })
    .nullish()
    .meta({ description: "Older name of `confirm_pay_per_site`." }),
});

/** Input of a new site (docs/contract.md 2.3). Only name and domain are required. */
const SiteInput = z.object({
  name: siteName,
  domain: domainName.meta({ description: "Domain of the site, without scheme or path." }),
  customer_id: id.nullish().meta({
    description:
      "For resellers: ID of the customer who will own the site. A slot of the customer pays first, then a licence of the reseller.",
  }),
  ...SiteSettings.shape,
  ...Confirmation.shape,
});

const annualPrice = z
  .int()
  .meta({ description: "Price of an annual licence, in TRY.", example: SITE_LICENCE_PRICE_TRY });
const remainingSlots = z.int().meta({ description: "Number of free slots.", example: 3 });

const SlotBilling = z.object({
  mode: z.literal("subscription_slot").meta({ description: "A subscription slot pays for the site." }),
  remaining_slots: remainingSlots,
});
const LicenceBilling = z.object({
  mode: z.literal("pay_per_site").meta({ description: "An annual licence pays for the site." }),
  annual_price_try: annualPrice,
  license_id: recordId.meta({ description: "ID of the licence." }),
  license_status: z.literal("pending").meta({ description: "State of the licence." }),
  period_end: expiry.meta({ description: "When the licence period ends." }),
});

export const SiteBilling = z.discriminatedUnion("mode", [SlotBilling, LicenceBilling]).meta({
  id: "SiteBilling",
  description: "Payment for the site: a subscription slot or an annual licence.",
});

/** Filters and order of sites: words of name or domain, or an id; status; owner. */
const SiteFilter = listFilter({
  sorts: ["name", "domain", "created_at"],
  filters: {
    is_active: queryFlag
      .meta({ example: "true" })
      .nullish()
      .meta({ description: "Only active sites, or only suspended ones." }),
    user_id: queryInt({ min: 1, max: MAX_ID })
      .meta({ example: "7" })
      .nullish()
      .meta({ description: "Only sites of this account." }),
    customer_id: queryInt({ min: 1, max: MAX_ID })
      .meta({ example: "7" })
      .nullish()
      .meta({ description: "Only sites of this customer and of the accounts below." }),
  },
});

export const listSites = operation({
  id: "listSites",
  method: "GET",
  path: "/api/sites",
  tag: "Sites",
  summary: "List the sites the caller can access",
  description:
    "A reseller also gets the sites of customers; an agent gets the assigned site. Without parameters: oldest first, at " +
    "most 10,000; pass the last ID as `after` for the next ones. With any other parameter: one page, with `meta`. `q` " +
    "searches name and domain for all its words; `sort` is a column, or `-column` for descending order. The default is " +
    "page 1 of 50 rows, newest first.",
  access: "token",
  siteKey: true,
  query: z
    .object({
      after: queryInt({ min: 0, max: MAX_ID })
        .meta({ example: "7" })
        .nullish()
        .meta({ description: "ID of the last site already read; the next ones follow." }),
      limit: queryInt({ min: 1, max: LIST_MAX })
        .meta({ example: "20" })
        .nullish()
        .meta({ description: "Maximum number of results." }),
    })
    .extend(SiteFilter.shape)
    .extend(pageQuery.shape)
    .superRefine((query, ctx) => {
      if (!asksForPage(query)) return;
      for (const field of WALK)
        if (query[field] != null)
          ctx.addIssue({ code: "custom", path: [field], message: "validation.not_with_page" });
    }),
  output: z.object({
    data: z.array(ListedSite).meta({ description: "Sites of the list." }),
    meta: PageMeta.optional(),
  }),
});

export const downloadSites = operation({
  id: "downloadSites",
  method: "GET",
  path: "/api/sites.csv",
  tag: "Sites",
  summary: "Download sites as a CSV file",
  description:
    "All matching sites, without pages. UTF-8; the separator is a semicolon where the caller's language uses a decimal " +
    "comma. Texts that a spreadsheet would run as a formula begin with an apostrophe.",
  access: "token",
  viewAs: false,
  query: SiteFilter,
  ...CSV_DOWNLOAD,
});

export const createSite = operation({
  id: "createSite",
  method: "POST",
  path: "/api/sites",
  tag: "Sites",
  summary: "Create a site",
  description:
    "A free subscription slot pays for the site. Without one, a reseller confirms an annual licence, and anyone else " +
    "needs another plan; an overdue licence is paid first. The full `api_key` is in this response only.",
  access: "token",
  ability: "sites:write",
  limit: { points: 30, per: 3600, by: "account" },
  idempotent: true,
  body: SiteInput,
  status: 201,
  output: z.object({
    success,
    site: Site.pick({
      id: true,
      name: true,
      domain: true,
      api_key: true,
      user_id: true,
      subscription_id: true,
      is_active: true,
      created_at: true,
    })
      .extend({
        api_key: z.string().meta({
          description: "Public key of the widget, in full in this response only.",
          example: "dsk_…",
        }),
      })
      .meta({ id: "CreatedSite", description: "The new site, with its widget key." }),
    billing: SiteBilling,
  }),
  errors: [
    "site_needs_confirmation",
    "site_needs_upgrade",
    "licence_overdue",
    "consents_required",
    "agreement_unsigned",
  ],
});

const SiteDetail = Site.extend({
  faqs_count: count.meta({ description: "Number of FAQ entries." }),
  owner_name: z
    .string()
    .meta({ description: "Name of the account that owns the site.", example: "Ayşe Kaya" }),
}).meta({ id: "SiteDetail", description: "A site in detail." });

export const getSite = operation({
  id: "getSite",
  method: "GET",
  path: "/api/sites/{id}",
  tag: "Sites",
  summary: "Get a site",
  description: "403 if the caller may not access it, 404 if it does not exist.",
  access: "token",
  siteKey: true,
  record: "Site",
  params: z.object({ id: pathId }),
  output: z.object({ data: SiteDetail }),
});

export const updateSite = operation({
  id: "updateSite",
  method: "PUT",
  path: "/api/sites/{id}",
  tag: "Sites",
  summary: "Change a site",
  description: `Omitted fields stay unchanged; null restores the default. \`ai_provider_api_key\` is write-only: null deletes the key. ${EXPECTED_TEXT}`,
  access: "token",
  ability: "sites:write",
  record: "Site",
  limit: { points: 120, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  body: z.object({
    name: siteName.optional().meta({ description: "Name of the site." }),
    domain: domainName.optional().meta({ description: "Domain of the site, without scheme or path." }),
    ...SiteSettings.shape,
    settings: z
      .object({
        max_messages_per_session: z
          .int()
          .min(1)
          .max(MESSAGES_MAX)
          .nullish()
          .meta({ description: "Maximum number of messages in a session.", example: 50 }),
      })
      .nullish()
      .meta({ description: "Further settings." }),
    ai_provider_api_key: z
      .string()
      .min(8)
      .max(500)
      .regex(/^[\x21-\x7e]+$/, { error: "validation.text" })
      .nullish()
      .meta({
        description: "The site's own key at an AI provider; null deletes it.",
        example: "sk-8f2a8f2a8f2a",
      }),
    expected: z
      .object({
        name: Site.shape.name.nullish().meta({ description: "Value the caller last saw." }),
        domain: Site.shape.domain.nullish().meta({ description: "Value the caller last saw." }),
        widget_color: Site.shape.widget_color.nullish().meta({ description: "Value the caller last saw." }),
        widget_position: Site.shape.widget_position
          .nullish()
          .meta({ description: "Value the caller last saw." }),
        welcome_message: Site.shape.welcome_message
          .nullish()
          .meta({ description: "Value the caller last saw." }),
        bot_name: Site.shape.bot_name.nullish().meta({ description: "Value the caller last saw." }),
        ai_enabled: Site.shape.ai_enabled.nullish().meta({ description: "Value the caller last saw." }),
        similarity_threshold: Site.shape.similarity_threshold
          .nullish()
          .meta({ description: "Value the caller last saw." }),
        system_prompt: Site.shape.system_prompt.nullish().meta({ description: "Value the caller last saw." }),
        settings: Site.shape.settings.nullish().meta({ description: "Value the caller last saw." }),
      })
      .optional()
      .meta({ description: "Values the caller last saw; 409 if one of them has changed." }),
  }),
  output: z.object({ success, message, data: SiteDetail }),
  errors: ["licence_overdue", "stale", "site_held"],
});

/** What the next site will cost, before the form is filled in. */
export const getSiteForecast = operation({
  id: "getSiteForecast",
  method: "GET",
  path: "/api/sites/billing-forecast",
  tag: "Sites",
  summary: "Forecast what the next site will cost",
  access: "token",
  description: "For resellers, `customer_id` forecasts the next site of this customer.",
  query: z.object({ customer_id: SiteFilter.shape.customer_id }),
  output: z.object({
    success,
    mode: z
      .enum(["subscription_slot", "pay_per_site", "upgrade"])
      .meta({ description: "Payment for the next site." }),
    total_slots: z.int().meta({ description: "Number of slots of all subscriptions.", example: 5 }),
    used_slots: z.int().meta({ description: "Number of slots in use.", example: 2 }),
    remaining_slots: remainingSlots,
    subscription: z
      .object({
        id: recordId,
        plan: z.string().meta({ description: "Name of the plan.", example: "Pro" }),
        ends_at: expiry.meta({ description: "When the subscription ends." }),
      })
      .nullable()
      .meta({ description: "Subscription whose slot is used next; null if none." }),
    annual_price_try: annualPrice,
    payment_days: z.int().meta({ description: "Days to pay for a licence.", example: LICENCE_PAYMENT_DAYS }),
  }),
});

const State = Site.pick({ id: true, is_active: true, suspended_reason: true, subscription_id: true }).meta({
  description: "The site after the change.",
});

export const suspendSite = operation({
  id: "suspendSite",
  method: "POST",
  path: "/api/sites/{id}/suspend",
  tag: "Sites",
  summary: "Suspend a site",
  description:
    "An administrator needs a fresh proof of identity for another owner's site. The site keeps its slot or licence. A " +
    "suspended site keeps its state and reason; only an administrator's suspension replaces the reason. The owner gets a " +
    "mail when another person suspends the site.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  limit: { points: 60, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  output: z.object({ success, message, site: State }),
  errors: ["identity_unproven"],
});

export const activateSite = operation({
  id: "activateSite",
  method: "POST",
  path: "/api/sites/{id}/activate",
  tag: "Sites",
  summary: "Activate a suspended site",
  description:
    "An administrator needs a fresh proof of identity for another owner's site. While its slot or licence pays, the site " +
    "is active immediately. Otherwise it takes a free slot of its owner, or a reseller confirms an annual licence, and " +
    "anyone else needs another plan, as at creation. An overdue licence is paid first: 402 with its `reference`. Only an " +
    "administrator can activate a site that an administrator suspended. An active site stays as it is.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  limit: { points: 60, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  body: Confirmation,
  output: z.object({
    success,
    message,
    site: State,
    billing: SiteBilling.nullable().meta({
      description: "New payment for the site; null if it has not changed.",
    }),
  }),
  errors: [
    "identity_unproven",
    "site_needs_confirmation",
    "site_needs_upgrade",
    "agreement_unsigned",
    "site_held",
    "licence_overdue",
  ],
});
