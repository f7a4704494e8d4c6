import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, id, message, success } from "@/server/core/schema";
import { ADDITION_HOURS } from "@/server/domains/accounts/additions/contract";

export const reportIntrusion = operation({
  id: "reportIntrusion",
  method: "POST",
  path: "/api/profile/report-intrusion",
  tag: "Sessions",
  summary: "Report that another person used the account",
  description: `Ends everything that was added in the last ${ADDITION_HOURS} hours: pending invitations and imports, the permission to view the panel, and external keys. Switches webhooks and connections off. The owner gets a mail that lists them, with a link to deactivate members who joined in that time. Sessions stay as they are.`,
  access: "token",
  withoutFactor: true,
  ability: "*",
  limit: { points: 5, per: 3600, by: "account" },
  status: 200,
  output: z.object({
    success,
    message,
    ended: count.meta({ description: "Number of additions that were ended." }),
  }),
});

/** Public: the owner need not be signed in. */
export const reviewAdditions = operation({
  id: "reviewAdditions",
  method: "POST",
  path: "/api/auth/review-additions",
  tag: "Sessions",
  summary: "Deactivate recent members with a mailed link",
  description: `The link is in the mail about a password reset or a report. It works once, within ${ADDITION_HOURS} hours. Signs out and deactivates the members in \`ids\` who joined in the period that the mail covers; other members stay.`,
  access: "public",
  limit: { points: 20, per: 900, by: "ip", durable: true },
  body: z.object({
    token: z.string().max(255).meta({ description: "Token from the mailed link.", example: "dsm_…" }),
    ids: z
      .array(id)
      .max(1000)
      .meta({ description: "IDs of the members to deactivate.", example: [12] }),
  }),
  status: 200,
  output: z.object({
    success,
    message,
    ended: count.meta({ description: "Number of members that were deactivated." }),
  }),
  errors: ["review_invalid"],
});
