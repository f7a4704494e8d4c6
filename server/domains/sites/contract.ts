import * as z from "zod";
import { operation } from "@/server/core/contract";
import {
  block,
  domainName,
  flag,
  hexColor,
  line,
  MAX_ID,
  pathId,
  queryInt,
  success,
  timestamp,
} from "@/server/core/schema";

/** As many sites as one answer lists. */
export const LIST_MAX = 10_000;

/** A site as the contract describes it (2.3). Secrets are masked: see each field. */
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

/** What a new site may be given (contract 2.3). Only name and domain are required. */
export const SiteInput = z.object({
  name: line({ max: 120 }),
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

export const listSites = operation({
  id: "listSites",
  method: "GET",
  path: "/api/sites",
  tag: "Sites",
  summary: "Sites the caller reaches",
  description:
    "Contract 4.11. A reseller also gets the sites of customers; an agent gets the assigned site. Oldest first; " +
    "without `limit` at most 10,000. The next page starts `after` the last id.",
  access: "token",
  query: z.object({
    after: queryInt({ min: 0, max: MAX_ID }).nullish(),
    limit: queryInt({ min: 1, max: LIST_MAX }).nullish(),
  }),
  status: 200,
  answer: z.object({ data: z.array(Site) }),
});

export const createSite = operation({
  id: "createSite",
  method: "POST",
  path: "/api/sites",
  tag: "Sites",
  summary: "Create a site",
  description:
    "Contract 4.11, hybrid billing: a free subscription slot pays for the site; without one a reseller confirms an annual " +
    "licence, anyone else needs another plan. The full `api_key` is in this answer only.",
  access: "token",
  ability: "sites:write",
  limit: { points: 30, per: 3600, by: "account" },
  body: SiteInput,
  status: 201,
  answer: z.object({
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
  errors: ["site_needs_confirmation", "site_needs_upgrade"],
});

export const getSite = operation({
  id: "getSite",
  method: "GET",
  path: "/api/sites/{id}",
  tag: "Sites",
  summary: "One site",
  description: "Contract 4.11. 403 when the caller may not reach it, 404 when it does not exist.",
  access: "token",
  record: "Site",
  params: z.object({ id: pathId }),
  status: 200,
  answer: z.object({ data: Site.extend({ faqs_count: z.int() }) }),
  errors: ["record_not_found"],
});

/** What the next site will cost, before the form is filled in. */
export const getSiteForecast = operation({
  id: "getSiteForecast",
  method: "GET",
  path: "/api/sites/billing-forecast",
  tag: "Sites",
  summary: "What the next site will cost",
  access: "token",
  status: 200,
  answer: z.object({
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
