import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { count, expiry, recordId, recordUlid, SiteLine, searchLine, timestamp } from "@/server/core/schema";
import { PLATFORM_MODULES } from "@/server/domains/accounts/profile/contract";
import { EarningSum } from "@/server/domains/billing/payouts/contract";
import { CHANNELS } from "@/server/domains/sites/connections/contract";
import { MediaFile } from "@/server/domains/sites/media/contract";
import { SUSPENSION_REASONS } from "@/server/domains/sites/sites/contract";
import {
  AGENT_ABILITIES,
  CHANNEL_PROBLEMS,
  CHANNEL_STATES,
  CUSTOMERS_AT_RISK_MAX,
  DUE_INVOICE_DAYS,
  LICENCE_CUSTOMERS_MAX,
  OVERVIEW_SITES_MAX,
  SEARCH_MAX_LENGTH,
  SEARCH_MIN_LENGTH,
  SEARCHED_LISTS,
  SETUP_STATES,
  SETUP_STEPS,
  WAITING_ITEMS_MAX,
} from "./policy";

const Overview = f.namedObject("Overview", "Open tasks of administrators; 0 or false means nothing to do.", {
  no_bank: f.boolean("True when no bank account for customers' transfers is set."),
  no_legal_texts: f.boolean("True when the operator's own terms or privacy policy are not published."),
  orders: count.meta({ description: "Number of pending plan orders." }),
  licences: count.meta({ description: "Number of unpaid site licences." }),
  past_due: count.meta({ description: "Number of subscriptions that ended unpaid." }),
  failed_mails: count.meta({
    description: "Number of emails of the last 24 hours that failed after all attempts.",
  }),
  factor_resets: count.meta({ description: "Number of pending resets of second factors." }),
  failing_portals: count.meta({
    description: "Number of verified portal domains that currently fail their checks.",
  }),
  late_invoices: count.meta({
    description: "Number of invoices that were not issued before the legal deadline.",
  }),
  due_invoices: count.meta({
    description: `Number of other open invoices whose legal deadline is within ${DUE_INVOICE_DAYS} days.`,
  }),
  failed_invoices: count.meta({
    description: "Number of failed invoices; they are not retried automatically.",
  }),
  failed_jobs: count.meta({ description: "Number of background jobs that used up their attempts." }),
  refused_sign_ups: count.meta({ description: "Number of sign-ups refused in the last 24 hours." }),
});

const WaitingItem = f.namedObject("WaitingItem", "A task of administrators with the account it concerns.", {
  kind: f.oneOf(
    ["orders", "licences", "past_due", "late_invoices", "due_invoices", "failed_invoices"],
    "Count in `overview` that includes it.",
    "orders",
  ),
  id: recordId.meta({ description: "ID of the subscription, licence or invoice." }),
  user_id: recordId.meta({ description: "ID of the account that pays.", example: 12 }),
  user_name: f.text("Name of the account that pays.", "Ayşe Kaya"),
  subject: f.nullable(z.string(), "Name of the plan or of the site; null for an invoice.", "Pro"),
  amount: z.number().meta({ description: "Amount, in `currency`, including VAT.", example: 9999 }),
  currency: f.text("ISO 4217 currency code.", "TRY"),
  until: expiry.meta({
    description:
      "When the order lapses, the licence is to be paid, the sites lose their slots or the invoice must be issued.",
  }),
});

const WaitingRequest = f.namedObject(
  "WaitingRequest",
  "A request that waits for an administrator, with the account it concerns.",
  {
    kind: f.oneOf(["factor_resets"], "Count in `overview` that includes it.", "factor_resets"),
    id: recordUlid.meta({ description: "ID of the request." }),
    user_id: recordId.meta({ description: "ID of the account that it concerns.", example: 12 }),
    user_name: f.text("Name of the account that it concerns.", "Ayşe Kaya"),
    requested_by: f.nullable(
      z.string(),
      "Name of the administrator who requested it; null after that account is deleted.",
      "Deniz Yılmaz",
    ),
    run_at: expiry.meta({ description: "When it takes effect, once it is approved." }),
    needs_approval: f.boolean("True while a second administrator must approve it.", false),
  },
);

const Month = f.namedObject("OverviewMonth", "Figures of the last 30 days.", {
  sign_ups: count.meta({ description: "Number of new customers." }),
  sites: count.meta({ description: "Number of new sites." }),
  revenue: z.number().meta({
    description:
      "Total of the payments of the last 30 days, in Turkish lira (TRY), including VAT. Reversed payments do " +
      "not count.",
    example: 12999,
  }),
});

export const getOverview = operation({
  id: "getOverview",
  method: "GET",
  path: "/api/admin/overview",
  tag: "Platform",
  summary: "Get the open tasks and the figures of the last 30 days",
  access: "token",
  ability: "admin:*",
  output: f.success({
    overview: Overview,
    waiting: f.list(
      WaitingItem,
      `Most urgent orders, licences, subscriptions and invoices that \`overview\` counts, at most ${WAITING_ITEMS_MAX} of each kind.`,
    ),
    requests: f.list(
      WaitingRequest,
      `Requests that \`overview\` counts, the earliest first, at most ${WAITING_ITEMS_MAX}.`,
    ),
    month: Month,
  }),
});

const CustomerAtRisk = f.namedObject("CustomerAtRisk", "A customer whose plan is not paid.", {
  id: recordId.meta({ description: "ID of the customer.", example: 12 }),
  name: f.text("Name of the customer.", "Ayşe Kaya"),
  kind: f.oneOf(
    ["offline", "past_due"],
    "`offline`: sites are suspended because their plan ended. `past_due`: a plan has ended, its sites still work.",
    "past_due",
  ),
  sites_count: f.nullable(count, "Number of suspended sites for `offline`; otherwise null.", null),
  plan: f.nullable(z.string(), "Name of the plan for `past_due`; otherwise null.", "Pro"),
  until: f.nullable(timestamp, "When the sites lose their slots for `past_due`; otherwise null."),
});

const CustomerStates = f.namedObject("CustomerStates", "Number of customers by state.", {
  active: count.meta({ description: "Customers without an unpaid plan." }),
  past_due: count.meta({ description: "Customers whose plan has ended; their sites still work." }),
  offline: count.meta({ description: "Customers with sites that are suspended because their plan ended." }),
  deactivated: count.meta({ description: "Customers whose account is deactivated." }),
  invited: count.meta({ description: "Invitations that were not accepted yet." }),
});

const LicencesOfCustomer = f.namedObject(
  "LicencesOfCustomer",
  "Unpaid licences for the sites of one customer.",
  {
    customer_id: f.nullable(recordId, "ID of the customer; null for the caller's own sites."),
    customer_name: f.nullable(
      z.string(),
      "Name of the customer; null for the caller's own sites.",
      "Ayşe Kaya",
    ),
    count: count.meta({ description: "Number of unpaid licences." }),
    amount: z
      .number()
      .meta({ description: "Their total in Turkish lira (TRY), including VAT.", example: 3999 }),
    pay_by: expiry.meta({ description: "Earliest payment deadline." }),
  },
);

const EarningMonth = f.namedObject("EarningMonth", "Earnings of one month in the referral programme.", {
  month: f.text("Month in Turkey as `YYYY-MM`.", "2027-11"),
  currency: f.text("ISO 4217 currency code.", "TRY"),
  amount: z.number().meta({
    description: "Earnings of the month, in `currency`. Earnings of reversed payments do not count.",
    example: 833.25,
  }),
});

export const getResellerOverview = operation({
  id: "getResellerOverview",
  method: "GET",
  path: "/api/reseller/overview",
  tag: "Resellers",
  summary: "Get the figures of the caller's business",
  access: "token",
  ability: "reseller:read",
  output: f.success({
    customers: count.meta({ description: "Number of customers." }),
    new_customers: count.meta({ description: "Number of customers who signed up in the last 30 days." }),
    licences_to_pay: z
      .object({
        count: count.meta({ description: "Number of unpaid licences." }),
        amount: z
          .number()
          .meta({ description: "Their total in Turkish lira (TRY), including VAT.", example: 7998 }),
      })
      .meta({ description: "Unpaid licences that the caller pays." }),
    customers_at_risk: f.list(
      CustomerAtRisk,
      `Customers whose plan is not paid, most urgent first, at most ${CUSTOMERS_AT_RISK_MAX} of each kind.`,
    ),
    customer_states: CustomerStates,
    licences_by_customer: f.list(
      LicencesOfCustomer,
      `The same licences by customer, the earliest deadline first, at most ${LICENCE_CUSTOMERS_MAX} customers.`,
    ),
    earnings: f.list(EarningSum, "Earnings in the referral programme by currency."),
    earning_months: f.list(EarningMonth, "Earnings of this month and of the last one, by currency."),
    referral_rate: z.number().meta({
      description: "Share of the payments of new customers, in per cent; 0 while none is paid.",
      example: 10,
    }),
  }),
  errors: ["agreement_unsigned"],
});

const SetupStep = f.namedObject("ResellerSetupStep", "A step of a reseller's set-up.", {
  step: f.oneOf(SETUP_STEPS, "Part to set up.", "portal"),
  state: f.oneOf(
    SETUP_STATES,
    "`started`: a portal or email account that is not verified yet, or an invitation that is not accepted yet.",
    "started",
  ),
});

export const getResellerSetup = operation({
  id: "getResellerSetup",
  method: "GET",
  path: "/api/reseller/setup",
  tag: "Resellers",
  summary: "Get the steps of the caller's set-up",
  description: "Only for resellers, also before they have signed the agreement; 403 for other roles.",
  access: "token",
  ability: "reseller:read",
  output: f.success({
    steps: f.list(SetupStep, "Steps in their order. All but the first need a signed agreement."),
    complete: f.boolean("True when every step is done.", false),
  }),
});

const SiteActivity = SiteLine.extend({
  suspended_reason: f.nullable(
    z.enum(SUSPENSION_REASONS),
    "Why the site is suspended; null while active.",
    null,
  ),
  widget_color: f.text("Colour of the widget as `#RRGGBB`.", "#4F46E5"),
  last_active_at: timestamp.meta({
    description:
      "The latest of its last change, the last report of its widget and the last call with its external key.",
  }),
}).meta({ id: "SiteActivity", description: "A site with its last activity." });

const ChannelState = f.namedObject("ChannelState", "State of a channel over all its connections.", {
  channel: f.oneOf(CHANNELS, "Channel of the connections.", "telegram"),
  state: f.oneOf(
    CHANNEL_STATES,
    "`attention`: a connection has a problem. `idle`: no connection serves an active site. `working`: all others.",
    "attention",
  ),
  working: count.meta({ description: "Number of connections that work." }),
  attention: count.meta({ description: "Number of connections with a problem." }),
  idle: count.meta({ description: "Number of connections that serve no active site." }),
  problem: f.nullable(
    z.object({
      connection_id: recordId.meta({ description: "ID of the connection." }),
      label: f.text("Label of the connection.", "@kayakahve_bot"),
      kind: f.oneOf(
        CHANNEL_PROBLEMS,
        "`dead`: the provider rejects the token. `unreachable`: the last check failed. `cleanup_failed`: its clean-up " +
          "failed.",
        "dead",
      ),
    }),
    "The first connection with a problem; null without one.",
  ),
});

const AGENT_CAN = AGENT_ABILITIES.can;
const AGENT_CANNOT = AGENT_ABILITIES.cannot;

const AgentOverview = f.namedObject("AgentOverview", "Abilities of a team agent.", {
  owner: f.nullable(
    z.object({
      name: f.text("Name of the owner.", "Ayşe Kaya"),
      email: f.text("Email address of the owner.", "ayse@example.com"),
    }),
    "Owner of the team, who can change the site, the modules and the access; null without one.",
  ),
  can: f.list(
    z.enum(AGENT_CAN),
    "Abilities of the agent. `see_site`: see the site and its channels. `media`, `snippets`: use the files and snippets " +
      "of the team, and change the agent's own.",
    [...AGENT_CAN],
  ),
  cannot: f.list(
    z.enum(AGENT_CANNOT),
    "Abilities of the owner alone. `change_site`: change the site and its keys. `connections`: connect channels. `team`: " +
      "invite people. `billing`: see and order plans.",
    [...AGENT_CANNOT],
  ),
  modules: f.nullable(
    z.array(z.enum(PLATFORM_MODULES)),
    "Modules that the owner allows; null for all.",
    null,
  ),
});

export const getAccountOverview = operation({
  id: "getAccountOverview",
  method: "GET",
  path: "/api/overview",
  tag: "Profile",
  summary: "Get the state of the caller's sites and channels",
  description:
    "Covers the sites and connections of the caller and of sub-users, for team agents those of their site. Connections " +
    "that are being cleaned up are left out.",
  access: "token",
  output: f.success({
    sites: f.list(SiteActivity, `Newest sites, at most ${OVERVIEW_SITES_MAX}.`),
    site_counts: z
      .object({
        active: count.meta({ description: "Number of active sites." }),
        suspended: count.meta({ description: "Number of suspended sites." }),
      })
      .meta({ description: "Number of sites by state." }),
    channels: f.list(ChannelState, "State of each channel with a connection, those with problems first."),
    agent: f.nullable(AgentOverview, "Abilities of the caller as a team agent; null for others."),
  }),
});

const Person = z.object({
  id: recordId,
  name: f.text("Name of the person.", "Ayşe Kaya"),
  email: f.text("Email address of the person.", "ayse@example.com"),
});

export const search = operation({
  id: "search",
  method: "GET",
  path: "/api/search",
  tag: "Search",
  summary: "Search sites, people, files and snippets",
  description:
    "Returns at most five records of each kind, newest first, that contain all words of `q`. Searches name " +
    "and domain of sites; name, email address and phone number of people; names of files; title, shortcut " +
    "and text of snippets. Case and accents are ignored; İ, I, ı and i are the same letter. For sites and " +
    "people, a word of one or two letters matches only the beginning of a word. Lists that the caller " +
    "cannot read are empty. `customers` needs a reseller with a signed agreement and the ability " +
    "`reseller:read`. `users` needs an administrator with the ability `admin:*`.",
  access: "token",
  query: z.object({
    q: searchLine({ min: SEARCH_MIN_LENGTH, max: SEARCH_MAX_LENGTH }).meta({
      description: "Words to search for, 2 to 100 characters.",
      example: "kahve",
    }),
  }),
  output: f.success({
    sites: f.list(SiteLine, "Matching sites."),
    customers: f.list(Person, "Matching customers."),
    users: f.list(Person, "Matching accounts."),
    media: f.list(
      MediaFile.pick({ id: true, name: true, kind: true }).meta({
        id: "FoundFile",
        description: "A file that matches the search.",
      }),
      "Matching files.",
    ),
    snippets: f.list(
      z.object({
        id: recordId,
        title: f.text("Title of the snippet.", "Hoş geldiniz"),
      }),
      "Matching snippets.",
    ),
    more: f.list(z.enum(SEARCHED_LISTS), "Lists with further matching records.", ["sites"]),
  }),
});
