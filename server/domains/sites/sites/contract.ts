import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import {
  block,
  count,
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
  timestamp,
} from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { LICENCE_PAYMENT_DAYS, SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";
import { asksForPage, LIST_MAX, MESSAGES_MAX, SUSPENSION_REASONS, WALK } from "./policy";

/** What every site has (docs/contract.md 2.3). Secrets are masked: see each field. */
export const Site = z.object({
  id: recordId,
  name: z.string().meta({ example: "Kaya Kahve" }),
  domain: z.string().meta({ example: "example.com" }),
  user_id: recordId,
  /** Masked, `dsk_****abcd`. */
  api_key: z.string().meta({ example: "dsk_****abcd" }),
  is_active: z.boolean(),
  /** Null while the site is active. */
  suspended_reason: z.enum(SUSPENSION_REASONS).nullable().meta({ example: null }),
  /** Null for agents. */
  system_prompt: z.string().meta({ example: "Answer briefly and politely." }).nullable(),
  widget_color: z.string().meta({ example: "#4F46E5" }),
  widget_position: z.string().meta({ example: "bottom-right" }),
  welcome_message: z.string().meta({ example: "Hello! How can we help you?" }),
  bot_name: z.string().meta({ example: "Ada" }),
  ai_enabled: z.boolean(),
  similarity_threshold: z.number().meta({ example: 0.75 }),
  /** Write-only: masked, or null when none is set. */
  ai_provider_api_key: z.string().nullable().meta({ example: null }),
  subscription_id: recordId.nullable(),
  settings: z.object({ max_messages_per_session: z.int().meta({ example: 50 }) }),
  created_at: timestamp,
  updated_at: timestamp,
});

/** A site. Secrets are masked: see each field. */
const ListedSite = Site.extend({
  /** In pages only. */
  owner_name: z.string().meta({ example: "Ayşe Kaya" }).optional(),
}).meta({ id: "Site" });

/** What people set of a site; what is left out, or null, is its default. */
const SiteSettings = z.object({
  widget_color: hexColor.nullish(),
  widget_position: z.enum(["bottom-right", "bottom-left"]).nullish(),
  welcome_message: block({ max: 500 }).meta({ example: "Hello! How can we help you?" }).nullish(),
  bot_name: line({ max: 60 }).meta({ example: "Ada" }).nullish(),
  ai_enabled: flag.nullish(),
  similarity_threshold: z.number().min(0).max(1).meta({ example: 0.75 }).nullish(),
  system_prompt: block({ max: 8000 }).meta({ example: "Answer briefly and politely." }).nullish(),
});

const siteName = line({ max: 255 }).meta({ example: "Kaya Kahve" });

/** The answer to a 402 of creation and activation. */
export const Confirmation = z.object({
  /** Confirms the 402: opens an annual licence for this site. Resellers only. */
  confirm_pay_per_site: flag.nullish(),
  /** Older name of `confirm_pay_per_site`. */
  confirm_paid_site: flag.meta({ deprecated: true }).nullish(),
});

/** Input of a new site (docs/contract.md 2.3). Only name and domain are required. */
const SiteInput = z.object({
  name: siteName,
  domain: domainName,
  /** For resellers: the customer whose site it becomes. A slot of the customer pays first, a licence of the reseller then. */
  customer_id: id.nullish(),
  ...SiteSettings.shape,
  ...Confirmation.shape,
});

const annualPrice = z.int().meta({ example: SITE_LICENCE_PRICE_TRY });
const remainingSlots = z.int().meta({ example: 3 });

const SlotBilling = z.object({ mode: z.literal("subscription_slot"), remaining_slots: remainingSlots });
const LicenceBilling = z.object({
  mode: z.literal("pay_per_site"),
  annual_price_try: annualPrice,
  license_id: recordId,
  license_status: z.literal("pending"),
  period_end: expiry,
});

/** What pays for a site from now on. */
export const SiteBilling = z
  .discriminatedUnion("mode", [SlotBilling, LicenceBilling])
  .meta({ id: "SiteBilling" });

/** Filters and order of sites: words of name or domain, or an id; status; owner. */
const SiteFilter = listFilter({
  sorts: ["name", "domain", "created_at"],
  filters: {
    is_active: queryFlag.meta({ example: "true" }).nullish(),
    /** Only sites of this account. */
    user_id: queryInt({ min: 1, max: MAX_ID }).meta({ example: "7" }).nullish(),
    /** Only sites of this customer and of the accounts below. */
    customer_id: queryInt({ min: 1, max: MAX_ID }).meta({ example: "7" }).nullish(),
  },
});

export const listSites = operation({
  id: "listSites",
  method: "GET",
  path: "/api/sites",
  tag: "Sites",
  summary: "List the sites the caller can access",
  description:
    "A reseller also gets the sites of customers; an agent gets the assigned site. Without parameters: oldest first, at most " +
    "10,000; pass the last id as `after` for the next ones. With any other parameter: one page, with `meta`. `q` finds sites " +
    "that contain all its words in name or domain; `sort` is a column, or `-column` for descending order. The default is page " +
    "1 of 50 rows, newest first.",
  access: "token",
  siteKey: true,
  query: z
    .object({
      after: queryInt({ min: 0, max: MAX_ID }).meta({ example: "7" }).nullish(),
      limit: queryInt({ min: 1, max: LIST_MAX }).meta({ example: "20" }).nullish(),
    })
    .extend(SiteFilter.shape)
    .extend(pageQuery.shape)
    .superRefine((query, ctx) => {
      if (!asksForPage(query)) return;
      for (const field of WALK)
        if (query[field] != null)
          ctx.addIssue({ code: "custom", path: [field], message: "validation.not_with_page" });
    }),
  status: 200,
  output: z.object({
    data: z.array(ListedSite),
    meta: PageMeta.optional(),
  }),
});

export const downloadSites = operation({
  id: "downloadSites",
  method: "GET",
  path: "/api/sites.csv",
  tag: "Sites",
  summary: "Download the same sites as a CSV file",
  description:
    "All sites that match, without pages. UTF-8; the separator is a semicolon where the caller's language writes a decimal " +
    "comma. Texts that a spreadsheet would run as a formula begin with an apostrophe.",
  access: "token",
  viewAs: false,
  limit: { points: 60, per: 3600, by: "account" },
  query: SiteFilter,
  status: 200,
  file: CSV,
  output: z.never(),
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
        /** Whole, in this response only. */
        api_key: z.string().meta({ example: "dsk_…" }),
      })
      .meta({ id: "CreatedSite" }),
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

/** A site with what only its own address tells. */
const SiteDetail = Site.extend({
  faqs_count: count,
  owner_name: z.string().meta({ example: "Ayşe Kaya" }),
}).meta({ id: "SiteDetail" });

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
  status: 200,
  output: z.object({ data: SiteDetail }),
  errors: ["record_not_found"],
});

export const updateSite = operation({
  id: "updateSite",
  method: "PUT",
  path: "/api/sites/{id}",
  tag: "Sites",
  summary: "Change a site",
  description: `A field that is left out stays as it is; null brings back what a new site begins with. \`ai_provider_api_key\` is write-only: null forgets the key. ${EXPECTED_TEXT}`,
  access: "token",
  ability: "sites:write",
  record: "Site",
  limit: { points: 120, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  body: z.object({
    name: siteName.optional(),
    domain: domainName.optional(),
    ...SiteSettings.shape,
    settings: z
      .object({ max_messages_per_session: z.int().min(1).max(MESSAGES_MAX).meta({ example: 50 }).nullish() })
      .nullish(),
    ai_provider_api_key: z
      .string()
      .min(8)
      .max(500)
      .regex(/^[\x21-\x7e]+$/, { error: "validation.text" })
      .meta({ example: "sk-8f2a8f2a8f2a" })
      .nullish(),
    expected: z
      .object({
        name: Site.shape.name.nullish(),
        domain: Site.shape.domain.nullish(),
        widget_color: Site.shape.widget_color.nullish(),
        widget_position: Site.shape.widget_position.nullish(),
        welcome_message: Site.shape.welcome_message.nullish(),
        bot_name: Site.shape.bot_name.nullish(),
        ai_enabled: Site.shape.ai_enabled.nullish(),
        similarity_threshold: Site.shape.similarity_threshold.nullish(),
        system_prompt: Site.shape.system_prompt.nullish(),
        settings: Site.shape.settings.nullish(),
      })
      .optional(),
  }),
  status: 200,
  output: z.object({ success, message, data: SiteDetail }),
  errors: ["licence_overdue", "record_not_found", "stale", "site_held"],
});

/** What the next site will cost, before the form is filled in. */
export const getSiteForecast = operation({
  id: "getSiteForecast",
  method: "GET",
  path: "/api/sites/billing-forecast",
  tag: "Sites",
  summary: "Forecast what the next site will cost",
  access: "token",
  description: "With `customer_id`, for resellers: what the next site of this customer will cost.",
  query: z.object({ customer_id: SiteFilter.shape.customer_id }),
  status: 200,
  output: z.object({
    success,
    mode: z.enum(["subscription_slot", "pay_per_site", "upgrade"]),
    total_slots: z.int().meta({ example: 5 }),
    used_slots: z.int().meta({ example: 2 }),
    remaining_slots: remainingSlots,
    /** The subscription whose slot is taken next. */
    subscription: z
      .object({ id: recordId, plan: z.string().meta({ example: "Pro" }), ends_at: expiry })
      .nullable(),
    annual_price_try: annualPrice,
    payment_days: z.int().meta({ example: LICENCE_PAYMENT_DAYS }),
  }),
});
