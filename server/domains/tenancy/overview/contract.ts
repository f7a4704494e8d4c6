import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { count, recordId, SiteLine, searchLine } from "@/server/core/schema";
import { MediaFile } from "@/server/domains/sites/media/contract";
import { SEARCH_MAX, SEARCH_MIN } from "./policy";

const Overview = f.named("Overview", "Open tasks of administrators; 0 or false means nothing to do.", {
  no_bank: f.boolean("True when no bank account for customers' transfers is set."),
  no_legal_texts: f.boolean("True when the operator's own terms or privacy policy are not published."),
  orders: count.meta({ description: "Open orders of plans." }),
  licences: count.meta({ description: "Unpaid licences." }),
  past_due: count.meta({ description: "Subscriptions that have ended unpaid." }),
  failed_mails: count.meta({ description: "Mails that failed for good within a day." }),
  factor_resets: count.meta({ description: "Pending resets of second factors." }),
  failing_portals: count.meta({ description: "Verified portal domains that fail their checks." }),
  late_invoices: count.meta({ description: "Invoices past the legal deadline." }),
  failed_invoices: count.meta({ description: "Invoices that failed and are not retried." }),
  failed_jobs: count.meta({ description: "Background jobs that were given up." }),
  refused_sign_ups: count.meta({ description: "Sign-ups refused within a day." }),
});

const Month = f.named("OverviewMonth", "Figures of the last 30 days.", {
  sign_ups: count.meta({ description: "Number of new customers." }),
  sites: count.meta({ description: "Number of new sites." }),
  revenue: z.number().meta({
    description: "Payments in lira by day of payment, VAT included, without reversed ones.",
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
  output: f.success({ overview: Overview, month: Month }),
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
    "The five newest of each kind that contain all words of `q`; İ, I, ı and i are the same letter, case and accents are " +
    "ignored. Words of two letters match the beginnings of words. Kinds that the caller cannot list are empty: " +
    "`customers` is for resellers who have signed the agreement (ability `reseller:read`), `users` for administrators " +
    "(`admin:*`).",
  access: "token",
  query: z.object({
    q: searchLine({ min: SEARCH_MIN, max: SEARCH_MAX }).meta({
      description: "Words to search for.",
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
  }),
});
