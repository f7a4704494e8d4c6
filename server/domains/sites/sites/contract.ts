import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { CSV_DOWNLOAD, listFilter, PageMeta, pageQuery } from "@/server/core/list";
import {
  byId,
  count,
  createdAt,
  domainName,
  expiry,
  flag,
  hexColor,
  id,
  MAX_ID,
  queryFlag,
  queryId,
  queryInt,
  recordId,
  textBlock,
  textLine,
  timestamp,
  updatedAt,
} from "@/server/core/schema";
import { series, seriesQuery } from "@/server/core/series";
import { EXPECTED_DESCRIPTION, expectedField } from "@/server/core/stale";
import { LICENCE_PAYMENT_DAYS, SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";
import {
  CURSOR_PARAMETERS,
  isPagedQuery,
  SESSION_MESSAGES_MAX,
  SITE_LIST_MAX,
  SUSPENSION_ACTORS,
  SUSPENSION_REASONS,
} from "./policy";

export { SUSPENSION_REASONS } from "./policy";

const Site = z.object({
  id: recordId,
  name: f.text("Name of the site.", "Kaya Kahve"),
  domain: f.text("Domain of the site, without scheme or path.", "example.com"),
  user_id: recordId.meta({ description: "ID of the account that owns the site.", example: 12 }),
  api_key: f.text("Public key of the widget, masked as `dsk_****abcd`.", "dsk_****abcd"),
  is_active: f.boolean("True when the site is active."),
  suspended_reason: f.nullable(
    z.enum(SUSPENSION_REASONS),
    "Why the site is suspended; null while it is active. `owner`: the owner, their parent account or their " +
      "reseller suspended it. `licence_unpaid`: its licence was not paid. `subscription_ended`: its " +
      "subscription ended. `administrator`: an administrator suspended it, and only administrators can " +
      "activate it.",
    null,
  ),
  suspended_at: f.nullable(timestamp, "When it was suspended; null while it is active, or if unknown.", null),
  suspended_by: f.nullable(
    z.enum(SUSPENSION_ACTORS),
    "Account that suspended the site. `owner`: the owner. `parent`: the owner's parent account. `reseller`: " +
      "the owner's reseller. `administrator`: an administrator. Null if no account did, or if unknown.",
    null,
  ),
  last_seen_at: f.nullable(
    timestamp,
    "When the widget's script last reported that it runs on a page; null if it never did. At most one report " +
      "a minute is stored.",
  ),
  last_seen_host: f.nullable(
    z.string(),
    "Host of that page, in punycode, as stated by the visitor's browser; null if never reported.",
    "example.com",
  ),
  system_prompt: f.nullable(
    z.string(),
    "Instructions for the AI assistant; null for agents.",
    "Answer briefly and politely.",
  ),
  widget_color: f.text("Colour of the widget, `#RRGGBB`.", "#4F46E5"),
  widget_position: f.text("Corner of the page where the widget appears.", "bottom-right"),
  welcome_message: f.text("First message of the widget.", "Hello! How can we help you?"),
  bot_name: f.text("Name of the AI assistant.", "Ada"),
  ai_enabled: f.boolean("True when the AI assistant is on."),
  similarity_threshold: z
    .number()
    .meta({ description: "Minimum similarity of a question to known content, from 0 to 1.", example: 0.75 }),
  ai_provider_api_key: f.nullable(
    z.string(),
    "The site's own key at an AI provider, masked as `****abcd`; null if none.",
    null,
  ),
  subscription_id: f.nullable(recordId, "ID of the subscription that pays for the site; null if none.", 3),
  billing: f.oneOf(
    ["slot", "licence", "none"],
    "Current payment of the site. `slot`: a slot of the subscription. `licence`: an annual licence, paid or " +
      "still within its time for payment. `none`: nothing pays; a suspended site needs a slot or a licence " +
      "to become active again.",
  ),
  settings: z
    .object({
      max_messages_per_session: f.integer("Maximum number of messages in a chat session.", 50),
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

const SiteSettings = z.object({
  widget_color: f.nullish(hexColor, "Colour of the widget, `#RRGGBB` or `#RGB`."),
  widget_position: f.nullish(
    z.enum(["bottom-right", "bottom-left"]),
    "Corner of the page where the widget appears.",
  ),
  welcome_message: f.nullish(
    textBlock({ max: 500 }),
    "First message of the widget, at most 500 characters.",
    "Hello! How can we help you?",
  ),
  bot_name: f.nullish(textLine({ max: 60 }), "Name of the AI assistant.", "Ada"),
  ai_enabled: f.nullish(flag, "True to switch the AI assistant on."),
  similarity_threshold: f.nullish(
    z.number().min(0).max(1),
    "Minimum similarity of a question to known content, from 0 to 1.",
    0.75,
  ),
  system_prompt: f.nullish(
    textBlock({ max: 8000 }),
    "Instructions for the AI assistant, at most 8,000 characters.",
    "Answer briefly and politely.",
  ),
});

const siteName = textLine({ max: 255 }).meta({ description: "Name of the site.", example: "Kaya Kahve" });

export const LicenceConfirmation = z.object({
  confirm_pay_per_site: f.nullish(
    flag,
    "True after a 402: opens an annual licence for this site. Resellers only.",
  ),
  confirm_paid_site: f.nullish(flag.meta({ deprecated: true }), "Older name of `confirm_pay_per_site`."),
});

const SiteInput = z.object({
  name: siteName,
  domain: domainName.meta({ description: "Domain of the site, without scheme or path." }),
  customer_id: f.nullish(
    id,
    "For resellers: ID of the customer who will own the site. A free slot of the customer pays for it, " +
      "otherwise a licence of the reseller.",
  ),
  ...SiteSettings.shape,
  ...LicenceConfirmation.shape,
});

const annualPriceField = f.integer(
  "Price of an annual licence, in whole TRY, VAT included.",
  SITE_LICENCE_PRICE_TRY,
);
const remainingSlotsField = f.integer("Number of free slots left.", 3);

const SlotBilling = z.object({
  mode: z.literal("subscription_slot").meta({ description: "A subscription slot pays for the site." }),
  remaining_slots: remainingSlotsField,
});
const LicenceBilling = z.object({
  // Public name: a licence is paid per site and year, not per use.
  mode: z.literal("pay_per_site").meta({ description: "An annual licence pays for the site." }),
  annual_price_try: annualPriceField,
  license_id: recordId.meta({ description: "ID of the licence.", example: 41 }),
  license_status: z.literal("pending").meta({ description: "State of the licence: opened, not yet paid." }),
  period_end: expiry.meta({ description: "When the year of the licence ends." }),
});

export const SiteBilling = z.discriminatedUnion("mode", [SlotBilling, LicenceBilling]).meta({
  id: "SiteBilling",
  description: "Payment for the site: a subscription slot or an annual licence.",
});

const SiteFilter = listFilter({
  sorts: ["name", "domain", "created_at"],
  filters: {
    is_active: f.nullish(queryFlag, "True: active sites only. False: suspended sites only."),
    user_id: f.nullish(queryId, "Only sites of this account."),
    customer_id: f.nullish(queryId, "Only sites of this customer and of the customer's sub-accounts."),
  },
});

const READ = { tag: "Sites", access: "token" } as const;

export const listSites = operation({
  id: "listSites",
  method: "GET",
  path: "/api/sites",
  ...READ,
  summary: "List the sites the caller can access",
  description:
    "Access: own sites and those of sub-accounts; resellers also their customers' sites; agents the " +
    "assigned site; administrators all. With no parameter except `after` and `limit`: oldest first, up to " +
    "10,000 sites; pass the last ID as `after` to get the next ones. With any other parameter: one page " +
    "with `meta`, by default page 1 with 50 rows, newest first. Each word of `q` must occur in the name or " +
    "domain, or be the ID.",
  acceptsSiteKey: true,
  query: z
    .object({
      after: f.nullish(
        queryInt({ min: 0, max: MAX_ID }).meta({ example: "7" }),
        "ID of the last site already read; returns the sites after it. Only `limit` can be combined with it.",
      ),
      limit: f.nullish(
        queryInt({ min: 1, max: SITE_LIST_MAX }).meta({ example: "20" }),
        "Maximum number of sites, at most 10,000. Only `after` can be combined with it.",
      ),
    })
    .extend(SiteFilter.shape)
    .extend(pageQuery.shape)
    .superRefine((query, ctx) => {
      if (!isPagedQuery(query)) return;
      for (const field of CURSOR_PARAMETERS)
        if (query[field] != null)
          ctx.addIssue({ code: "custom", path: [field], message: "validation.not_with_page" });
    }),
  output: z.object({
    data: f.list(ListedSite, "Sites of the list."),
    meta: PageMeta.optional(),
  }),
});

export const downloadSites = operation({
  id: "downloadSites",
  path: "/api/sites.csv",
  ...READ,
  summary: "Download sites as a CSV file",
  description:
    "All matching sites, not paged. UTF-8. Separator: semicolon if the caller's language uses a decimal " +
    "comma, otherwise comma. Texts that a spreadsheet would run as a formula start with an apostrophe.",
  viewAs: false,
  query: SiteFilter,
  ...CSV_DOWNLOAD,
});

export const SITE_PERIODS = ["12m", "90d", "30d", "7d"] as const;

export const getSiteSeries = operation({
  id: "getSiteSeries",
  method: "GET",
  path: "/api/sites/series",
  ...READ,
  summary: "Get the number of sites over time",
  description:
    "Covers the accounts whose sites `GET /api/sites` lists, as they belong together now: a site that moved to another account " +
    "counts for each account as long as it was there. Agents get 403. Changes are kept as long as the account. Suspensions " +
    "and deletions before December 2026 are not known exactly.",
  query: seriesQuery({ periods: SITE_PERIODS }),
  output: f.success({
    data: series("SiteSeries", "Sites over time.", {
      created: "sites created in the interval, also if deleted since.",
      active: "active sites at the end of the interval.",
      suspended: "suspended sites at the end of the interval.",
    }),
  }),
});

const WRITE = { tag: "Sites", access: "token", ability: "sites:write" } as const;

export const createSite = operation({
  id: "createSite",
  method: "POST",
  path: "/api/sites",
  ...WRITE,
  summary: "Create a site",
  description:
    "A free subscription slot pays for the site. If no slot is free, a reseller gets 402 until the call " +
    "confirms an annual licence, and any other caller gets 403: a larger plan is needed. A reseller with " +
    "an overdue licence must pay it first (402). Only this response contains the full `api_key`.",
  limit: { points: 30, per: 3600, by: "account" },
  idempotent: true,
  body: SiteInput,
  status: 201,
  output: f.success({
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
        api_key: f.text("Public key of the widget, unmasked in this response only.", "dsk_…"),
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
  owner_name: f.text("Name of the account that owns the site.", "Ayşe Kaya"),
}).meta({ id: "SiteDetail", description: "A site in detail." });

export const getSite = operation({
  id: "getSite",
  method: "GET",
  path: "/api/sites/{id}",
  ...READ,
  summary: "Get a site",
  description: "403 if the caller may not access the site, 404 if it does not exist.",
  acceptsSiteKey: true,
  ...byId("Site"),
  output: z.object({ data: SiteDetail }),
});

export const updateSite = operation({
  id: "updateSite",
  method: "PUT",
  path: "/api/sites/{id}",
  ...WRITE,
  summary: "Update a site",
  description:
    "Omitted fields stay unchanged; null restores the default. Responses return `ai_provider_api_key` " +
    "masked; null deletes the key. The domain cannot change while a licence is overdue (402) or while an " +
    `administrator's suspension lasts (403). ${EXPECTED_DESCRIPTION}`,
  ...byId("Site"),
  limit: { points: 120, per: 3600, by: "account" },
  body: z.object({
    name: siteName.optional().meta({ description: "Name of the site." }),
    domain: domainName.optional().meta({ description: "Domain of the site, without scheme or path." }),
    ...SiteSettings.shape,
    settings: f.nullish(
      z.object({
        max_messages_per_session: f.nullish(
          z.int().min(1).max(SESSION_MESSAGES_MAX),
          "Maximum number of messages in a chat session, from 1 to 1,000.",
          50,
        ),
      }),
      "Further settings.",
    ),
    ai_provider_api_key: f.nullish(
      z
        .string()
        .min(8)
        .max(500)
        .regex(/^[\x21-\x7e]+$/, { error: "validation.text" }),
      "The site's own key at an AI provider; null deletes it.",
      "sk-8f2a8f2a8f2a",
    ),
    // Repeats the fields above that a caller can read: add each new one here and to `Site`.
    expected: expectedField({
      name: f.nullish(Site.shape.name, "Value the caller last saw."),
      domain: f.nullish(Site.shape.domain, "Value the caller last saw."),
      widget_color: f.nullish(Site.shape.widget_color, "Value the caller last saw."),
      widget_position: f.nullish(Site.shape.widget_position, "Value the caller last saw."),
      welcome_message: f.nullish(Site.shape.welcome_message, "Value the caller last saw."),
      bot_name: f.nullish(Site.shape.bot_name, "Value the caller last saw."),
      ai_enabled: f.nullish(Site.shape.ai_enabled, "Value the caller last saw."),
      similarity_threshold: f.nullish(Site.shape.similarity_threshold, "Value the caller last saw."),
      system_prompt: f.nullish(Site.shape.system_prompt, "Value the caller last saw."),
      settings: f.nullish(Site.shape.settings, "Value the caller last saw."),
    }),
  }),
  output: f.changeOutput({ data: SiteDetail }),
  errors: ["licence_overdue", "stale", "site_held"],
});

export const getSiteForecast = operation({
  id: "getSiteForecast",
  method: "GET",
  path: "/api/sites/billing-forecast",
  ...READ,
  summary: "Forecast the billing of the next site",
  description: "Reserves nothing: the creation of the site decides again.",
  query: z.object({
    customer_id: SiteFilter.shape.customer_id.meta({
      description: "For resellers: ID of the customer who will own the site. Default: the caller.",
    }),
  }),
  output: f.success({
    mode: f.oneOf(
      ["subscription_slot", "pay_per_site", "upgrade"],
      "Payment of the next site. `subscription_slot`: a free slot. `pay_per_site`: an annual licence that " +
        "the caller must confirm. `upgrade`: the caller needs a larger plan first.",
    ),
    total_slots: f.integer("Number of slots of all subscriptions.", 5),
    used_slots: f.integer("Number of slots in use.", 2),
    remaining_slots: remainingSlotsField,
    subscription: f.nullable(
      z.object({
        id: recordId.meta({ description: "ID of the subscription.", example: 3 }),
        plan: f.text("Name of the plan.", "Pro"),
        ends_at: expiry.meta({ description: "When the subscription ends." }),
      }),
      "Subscription whose slot the site will use; null if none is free.",
    ),
    on_trial: f.boolean("True if all slots are those of a free trial.", false),
    annual_price_try: annualPriceField,
    payment_days: f.integer("Days to pay for a licence after it is opened.", LICENCE_PAYMENT_DAYS),
  }),
});

const SiteState = Site.pick({
  id: true,
  is_active: true,
  suspended_reason: true,
  subscription_id: true,
}).meta({
  description: "The site after the change.",
});

export const suspendSite = operation({
  id: "suspendSite",
  method: "POST",
  path: "/api/sites/{id}/suspend",
  ...WRITE,
  summary: "Suspend a site",
  description:
    "An administrator needs a recent proof of identity for another owner's site. The site keeps its slot or " +
    "licence. If the site is suspended already, nothing changes, but an administrator's suspension " +
    "replaces any other reason. The owner gets an email when another account suspends the site.",
  ...byId("Site"),
  limit: { points: 60, per: 3600, by: "account" },
  output: f.changeOutput({
    site: SiteState.meta({
      example: { id: 7, is_active: false, suspended_reason: "owner", subscription_id: 3 },
    }),
  }),
  errors: ["identity_unproven"],
});

export const activateSite = operation({
  id: "activateSite",
  method: "POST",
  path: "/api/sites/{id}/activate",
  ...WRITE,
  summary: "Activate a suspended site",
  description:
    "An administrator needs a recent proof of identity for another owner's site. If the slot or licence " +
    "still pays, the site is active immediately. Otherwise it takes a free slot of its owner. If no slot " +
    "is free, a reseller must confirm an annual licence (402); any other caller needs a larger plan (403). " +
    "An overdue licence must be paid first: 402 with its `reference`. Only an administrator can activate a " +
    "site that an administrator suspended. An active site stays unchanged.",
  ...byId("Site"),
  limit: { points: 60, per: 3600, by: "account" },
  body: LicenceConfirmation,
  output: f.changeOutput({
    site: SiteState,
    billing: f.nullable(SiteBilling, "New payment for the site; null if it is unchanged."),
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

const widgetKey = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: "Public key of the widget.", example: "dsk_4f9Kq2vYxT7bNcR1mZp8sWd3" });

export const getPublicWidget = operation({
  id: "getPublicWidget",
  method: "GET",
  path: "/api/public/widget",
  tag: "Sites",
  summary: "Get the design of a widget by its public key",
  description:
    "For scripts that show the widget, on any website. Browsers and proxies may keep the response for a minute. " +
    "It is the same on every page, so reading it counts as no visit: see `POST /api/public/widget/seen`. 404 " +
    "if no site has the key, for example after the site was deleted.",
  access: "public",
  limit: { points: 300, per: 60, by: "ip" },
  cacheControl: "public, max-age=60",
  query: z.object({ key: widgetKey }),
  output: f.success({
    widget: f.namedObject("PublicWidget", "Design of a widget.", {
      name: Site.shape.name,
      domain: Site.shape.domain,
      is_active: f.boolean("True when the site is active. Do not show the widget of a suspended site."),
      bot_name: Site.shape.bot_name,
      welcome_message: Site.shape.welcome_message,
      widget_color: Site.shape.widget_color,
      widget_position: Site.shape.widget_position,
    }),
  }),
  errors: ["record_not_found"],
});

export const reportWidgetSeen = operation({
  id: "reportWidgetSeen",
  method: "POST",
  path: "/api/public/widget/seen",
  tag: "Sites",
  summary: "Report that the widget runs on a page",
  description:
    "For scripts that show the widget, once per page load. Sets `last_seen_at` and `last_seen_host` of the site, " +
    "at most once a minute. The host is that of the `Origin` header, or else of the `Referer` header. Pages of " +
    "the panel and pages without a host do not count. For a day after a visit to the site's own domain, other " +
    "hosts do not replace it. 404 if no site has the key.",
  access: "public",
  limit: { points: 60, per: 60, by: "ip" },
  body: z.object({ key: widgetKey }),
  output: f.success({
    recorded: f.boolean("True when this report was stored.", true),
    is_active: f.boolean("True when the site is active."),
  }),
  errors: ["record_not_found"],
});
