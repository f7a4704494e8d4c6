import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, success } from "@/server/core/schema";

/** What waits for an administrator; one that is 0 or false does not. */
const Overview = z
  .object({
    /** Nobody has entered where customers pay to. */
    no_bank: z.boolean(),
    /** The operator's own terms or privacy policy are not published. */
    no_legal_texts: z.boolean(),
    /** Orders of plans, licences, and subscriptions whose period is over. */
    orders: count,
    licences: count,
    past_due: count,
    /** Mails that were given up within a day. */
    failed_mails: count,
    /** Resets of second factors that wait for an approval or their time. */
    factor_resets: count,
    /** Proven domains of resellers that fail their checks. */
    failing_portals: count,
    /** Invoices past the legal deadline. */
    late_invoices: count,
    /** Invoices that failed, and that nobody tries again by itself. */
    failed_invoices: count,
    /** Background jobs that were given up. */
    failed_jobs: count,
    /** Sign-ups refused within a day. */
    refused_sign_ups: count,
  })
  .meta({ id: "Overview" });

/** What came within the last 30 days. */
const Month = z
  .object({
    sign_ups: count,
    sites: count,
    /** Payments in lira by the day of payment, VAT included, without those that were reversed. */
    revenue: z.number().meta({ example: 12999 }),
  })
  .meta({ id: "OverviewMonth" });

export const getOverview = operation({
  id: "getOverview",
  method: "GET",
  path: "/api/admin/overview",
  tag: "Platform",
  summary: "Count what waits for an administrator, and what the last 30 days brought",
  access: "token",
  ability: "admin:*",
  status: 200,
  output: z.object({ success, overview: Overview, month: Month }),
});
