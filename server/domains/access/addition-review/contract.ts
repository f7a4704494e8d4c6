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
  description:
    `Ends what was added in the last ${ADDITION_HOURS} hours: pending invitations and imports, the permission to view the panel, ` +
    "and external keys; switches webhooks and connections off. The owner gets a mail that lists them, with a link to " +
    "deactivate members who joined the team in that time. Sessions stay as they are.",
  access: "token",
  withoutFactor: true,
  ability: "*",
  limit: { points: 5, per: 3600, by: "account" },
  status: 200,
  output: z.object({ success, message, ended: count }),
});

/** Public: the owner need not be signed in. */
export const reviewAdditions = operation({
  id: "reviewAdditions",
  method: "POST",
  path: "/api/auth/review-additions",
  tag: "Sessions",
  summary: "Deactivate members who joined lately, with a mailed link",
  description:
    `The link is in the mail about a password reset or a report. It works once, within ${ADDITION_HOURS} hours. Signs out and ` +
    "deactivates those of `ids` who joined since the time that the mail is about; other members stay.",
  access: "public",
  limit: { points: 20, per: 900, by: "ip", durable: true },
  body: z.object({
    token: z.string().max(255).meta({ example: "dsm_…" }),
    ids: z
      .array(id)
      .max(1000)
      .meta({ example: [12] }),
  }),
  status: 200,
  output: z.object({ success, message, ended: count }),
  errors: ["review_invalid"],
});
