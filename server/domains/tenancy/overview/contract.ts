import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, recordId, SiteLine, searchLine, success } from "@/server/core/schema";
import { MediaFile } from "@/server/domains/sites/media/contract";
import { SEARCH_MAX, SEARCH_MIN } from "./policy";

const Overview = z
  .object({
    no_bank: z.boolean().meta({ description: "True when no bank account for customers' transfers is set." }),
    no_legal_texts: z
      .boolean()
      .meta({ description: "True when the operator's own terms or privacy policy are not published." }),
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
  })
  .meta({ id: "Overview", description: "Open tasks of administrators; 0 or false means nothing to do." });

const Month = z
  .object({
    sign_ups: count.meta({ description: "Number of new customers." }),
    sites: count.meta({ description: "Number of new sites." }),
    revenue: z.number().meta({
      description: "Payments in lira by day of payment, VAT included, without reversed ones.",
      example: 12999,
    }),
  })
  .meta({ id: "OverviewMonth", description: "Figures of the last 30 days." });

export const getOverview = operation({
  id: "getOverview",
  method: "GET",
  path: "/api/admin/overview",
  tag: "Platform",
  summary: "Get the open tasks and the figures of the last 30 days",
  access: "token",
  ability: "admin:*",
  output: z.object({ success, overview: Overview, month: Month }),
});

const Person = z.object({
  id: recordId,
  name: z.string().meta({ description: "Name of the person.", example: "Ayşe Kaya" }),
  email: z.string().meta({ description: "E-mail address of the person.", example: "ayse@example.com" }),
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
  output: z.object({
    success,
    sites: z.array(SiteLine).meta({ description: "Matching sites." }),
    customers: z.array(Person).meta({ description: "Matching customers." }),
    users: z.array(Person).meta({ description: "Matching accounts." }),
    media: z
      .array(
        MediaFile.pick({ id: true, name: true, kind: true }).meta({
          id: "FoundFile",
          description: "A file that matches the search.",
        }),
      )
      .meta({ description: "Matching files." }),
    snippets: z
      .array(
        z.object({
          id: recordId,
          title: z.string().meta({ description: "Title of the snippet.", example: "Hoş geldiniz" }),
        }),
      )
      .meta({ description: "Matching snippets." }),
  }),
});
