import * as z from "zod";
import { operation } from "@/server/core/contract";
import { CSV, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import {
  block,
  domainName,
  flag,
  hexColor,
  line,
  MAX_ID,
  pathId,
  queryFlag,
  queryInt,
  success,
  timestamp,
} from "@/server/core/schema";

/** The most sites that one response lists. */
export const LIST_MAX = 10_000;

/** A site (docs/contract.md 2.3). Secrets are masked: see each field. */
export const Site = z.object({
  id: z.int(),
  name: z.string(),
  domain: z.string(),
  user_id: z.int(),
  /** Masked, `dsk_****abcd`. */
  api_key: z.string(),
  is_active: z.boolean(),
  /** Null for agents. */
  system_prompt: z.string().nullable(),
  widget_color: z.string(),
  widget_position: z.string(),
  welcome_message: z.string(),
  bot_name: z.string(),
  ai_enabled: z.boolean(),
  similarity_threshold: z.number(),
  /** Write-only: masked, or null when none is set. */
  ai_provider_api_key: z.string().nullable(),
  subscription_id: z.int().nullable(),
  settings: z.object({ max_messages_per_session: z.int() }),
  created_at: timestamp,
  updated_at: timestamp,
});

/** Input of a new site (docs/contract.md 2.3). Only name and domain are required. */
export const SiteInput = z.object({
  name: line({ max: 255 }),
  domain: domainName,
  widget_color: hexColor.nullish(),
  widget_position: z.enum(["bottom-right", "bottom-left"]).nullish(),
  welcome_message: block({ max: 500 }).nullish(),
  bot_name: line({ max: 60 }).nullish(),
  ai_enabled: flag.nullish(),
  similarity_threshold: z.number().min(0).max(1).nullish(),
  system_prompt: block({ max: 8000 }).nullish(),
  /** Confirms the 402: opens an annual licence for this site. Resellers only. */
  confirm_pay_per_site: flag.nullish(),
  /** Older name of `confirm_pay_per_site`. */
  confirm_paid_site: flag.nullish(),
});

const SlotBilling = z.object({ mode: z.literal("subscription_slot"), remaining_slots: z.int() });
const LicenceBilling = z.object({
  mode: z.literal("pay_per_site"),
  annual_price_try: z.int(),
  license_id: z.int(),
  license_status: z.literal("pending"),
  period_end: timestamp,
});

/** What narrows and orders the sites: words of name and domain or a number, state, owner. */
const SiteFilter = listFilter({
  sorts: ["name", "domain", "created_at"],
  filters: {
    is_active: queryFlag.nullish(),
    /** Sites of this account alone. */
    user_id: queryInt({ min: 1, max: MAX_ID }).nullish(),
  },
});

/** What cannot be sent together with a page: the walk has an order and a size of its own. */
const WALK = ["after", "limit"] as const;

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
      after: queryInt({ min: 0, max: MAX_ID }).nullish(),
      limit: queryInt({ min: 1, max: LIST_MAX }).nullish(),
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
  output: z.object({ data: z.array(Site), meta: PageMeta.optional() }),
});

/** Whether a list of sites is asked for as a page, or as the walk through all of them. */
export function asksForPage(query: Record<string, unknown>): boolean {
  return Object.entries(query).some(([name, value]) => value != null && !WALK.includes(name as never));
}

export const downloadSites = operation({
  id: "downloadSites",
  method: "GET",
  path: "/api/sites.csv",
  tag: "Sites",
  summary: "The same sites as a CSV file",
  description:
    "All sites that match, without pages. UTF-8; the separator is a semicolon where the caller's language writes a decimal " +
    "comma. Texts that a spreadsheet would run as a formula begin with an apostrophe.",
  access: "token",
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
    "needs another plan. The full `api_key` is in this response only.",
  access: "token",
  ability: "sites:write",
  limit: { points: 30, per: 3600, by: "account" },
  body: SiteInput,
  status: 201,
  output: z.object({
    success,
    site: z.object({
      id: z.int(),
      name: z.string(),
      domain: z.string(),
      api_key: z.string(),
      user_id: z.int(),
      subscription_id: z.int().nullable(),
      is_active: z.boolean(),
      created_at: timestamp,
    }),
    billing: z.discriminatedUnion("mode", [SlotBilling, LicenceBilling]),
  }),
  errors: ["site_needs_confirmation", "site_needs_upgrade", "consents_required"],
});

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
  output: z.object({ data: Site.extend({ faqs_count: z.int() }) }),
  errors: ["record_not_found"],
});

/** What the next site will cost, before the form is filled in. */
export const getSiteForecast = operation({
  id: "getSiteForecast",
  method: "GET",
  path: "/api/sites/billing-forecast",
  tag: "Sites",
  summary: "Forecast what the next site will cost",
  access: "token",
  status: 200,
  output: z.object({
    success,
    mode: z.enum(["subscription_slot", "pay_per_site", "upgrade"]),
    total_slots: z.int(),
    used_slots: z.int(),
    remaining_slots: z.int(),
    /** The subscription whose slot is taken next. */
    subscription: z.object({ id: z.int(), plan: z.string(), ends_at: timestamp }).nullable(),
    annual_price_try: z.int(),
    payment_days: z.int(),
  }),
});

/** The longest that a replaced key may live on: a week. */
export const GRACE_MAX_MINUTES = 10_080;

export const regenerateExternalKey = operation({
  id: "regenerateExternalKey",
  method: "POST",
  path: "/api/sites/{id}/regenerate-external-key",
  tag: "Sites",
  summary: "Create a new external key",
  description:
    "For servers, sent as `X-API-Key`; it gives access to this site only and is in this response only. The previous key " +
    "stops working at once, or after `grace_minutes`. For the owner, the accounts above and administrators.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  limit: { points: 10, per: 60, by: "account", named: true, durable: true },
  params: z.object({ id: pathId }),
  body: z.object({ grace_minutes: z.int().min(0).max(GRACE_MAX_MINUTES).nullish() }),
  status: 200,
  output: z.object({
    success,
    message: z.string(),
    external_api_key: z.string(),
    last_four: z.string(),
    created_at: timestamp,
    previous_valid_until: timestamp.nullable(),
  }),
  errors: ["record_not_found"],
});

const ExternalKey = z.object({
  last_four: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  last_used_ip: z.string().nullable(),
  valid_until: timestamp.nullable(),
});

export const getSiteKeys = operation({
  id: "getSiteKeys",
  method: "GET",
  path: "/api/sites/{id}/keys",
  tag: "Sites",
  summary: "Get the keys of a site",
  description: "The public widget key in full; of external keys only the last four characters and their use.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  params: z.object({ id: pathId }),
  status: 200,
  output: z.object({
    success,
    widget_key: z.string(),
    external_key: ExternalKey.nullable(),
    /** Replaced keys in their grace time. */
    previous_keys: z.array(ExternalKey),
  }),
  errors: ["record_not_found"],
});
