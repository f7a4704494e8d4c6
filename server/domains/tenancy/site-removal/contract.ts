import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, createdAt, expiry, message, pathId, recordId, success } from "@/server/core/schema";
import { ExternalKey } from "@/server/domains/sites/external-keys/contract";

export const getSiteRemoval = operation({
  id: "getSiteRemoval",
  method: "GET",
  path: "/api/sites/{id}/removal",
  tag: "Sites",
  summary: "Forecast what the deletion of a site ends",
  description: "Agents who lose their site, keys that stop working, and slots that become free.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  params: z.object({ id: pathId }),
  output: z.object({
    success,
    domain: z.string().meta({ description: "Domain to type as confirmation.", example: "example.com" }),
    agents: z
      .array(
        z.object({
          id: recordId,
          name: z.string().meta({ description: "Name of the agent.", example: "Ece Demir" }),
        }),
      )
      .meta({ description: "Agents of the site." }),
    invitations: count.meta({ description: "Number of pending invitations." }),
    external_keys: z.array(ExternalKey).meta({ description: "External keys that stop working." }),
    connections: z
      .array(
        z.object({
          id: recordId,
          label: z.string().meta({ description: "Label of the connection.", example: "@kayakahve_bot" }),
        }),
      )
      .meta({ description: "Connections that serve no other site; they are cleaned up." }),
    mail_account: z
      .string()
      .nullable()
      .meta({ description: "Sender address of the site's own mail account; null if none.", example: null }),
    licence: z
      .object({
        id: recordId,
        status: z.enum(["pending", "active"]).meta({ description: "State of the licence." }),
        overdue: z.boolean().meta({ description: "True when the payment deadline has passed." }),
        stays_due: z.boolean().meta({ description: "True when it has to be paid even after the deletion." }),
        period_end: expiry.meta({ description: "When the licence period ends." }),
        created_at: createdAt,
      })
      .nullable()
      .meta({ description: "Licence that pays for the site; null if none.", example: null }),
    slot: z
      .object({
        subscription_id: recordId.meta({ description: "ID of the subscription." }),
        plan: z.string().meta({ description: "Name of the plan.", example: "Pro" }),
      })
      .nullable()
      .meta({ description: "Subscription that gets a free slot; null if none." }),
  }),
});

export const deleteSite = operation({
  id: "deleteSite",
  method: "DELETE",
  path: "/api/sites/{id}",
  tag: "Sites",
  summary: "Delete a site",
  description:
    "Immediate, without undo. `confirmation` is the site's domain, as Unicode or punycode. Needs a fresh proof of " +
    "identity. Frees the domain and the slot, ends a paid licence and deactivates the site's agents; an unpaid licence " +
    "stays due.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  limit: { points: 30, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  body: z.object({
    confirmation: z
      .string()
      .max(300)
      .meta({ description: "Domain of the site, as confirmation.", example: "example.com" }),
  }),
  output: z.object({ success, message }),
  errors: ["identity_unproven", "site_held"],
});
