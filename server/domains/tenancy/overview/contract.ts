import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { count, expiry, recordId, SiteLine, searchLine, timestamp } from "@/server/core/schema";
import { EarningSum } from "@/server/domains/billing/payouts/contract";
import { MediaFile } from "@/server/domains/sites/media/contract";
import {
  CUSTOMERS_AT_RISK_MAX,
  DUE_INVOICE_DAYS,
  SEARCH_MAX_LENGTH,
  SEARCH_MIN_LENGTH,
  SEARCHED_LISTS,
  WAITING_ITEMS_MAX,
} from "./policy";

const Overview = f.namedObject("Overview", "Open tasks of administrators; 0 or false means nothing to do.", {
  no_bank: f.boolean("True when no bank account for customers' transfers is set."),
  no_legal_texts: f.boolean("True when the operator's own terms or privacy policy are not published."),
  orders: count.meta({ description: "Number of pending plan orders." }),
  licences: count.meta({ description: "Number of unpaid site licences." }),
  past_due: count.meta({ description: "Number of subscriptions that ended unpaid." }),
  failed_mails: count.meta({
    description: "Number of mails of the last 24 hours that failed after all attempts.",
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
    earnings: f.list(EarningSum, "Earnings in the referral programme by currency."),
    referral_rate: z.number().meta({
      description: "Share of the payments of new customers, in per cent; 0 while none is paid.",
      example: 10,
    }),
  }),
  errors: ["agreement_unsigned"],
});

const Person = z.object({
  id: recordId,
  name: f.text("Name of the person.", "Ayşe Kaya"),
  email: f.text("E-mail address of the person.", "ayse@example.com"),
});

export const search = operation({
  id: "search",
  method: "GET",
  path: "/api/search",
  tag: "Search",
  summary: "Search sites, people, files and snippets",
  description:
    "Returns at most five records of each kind, newest first, that contain all words of `q`. Searches name " +
    "and domain of sites; name, e-mail address and phone number of people; names of files; title, shortcut " +
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
