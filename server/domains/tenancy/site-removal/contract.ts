import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { byId, count, createdAt, expiry, recordId } from "@/server/core/schema";
import { ExternalKey } from "@/server/domains/sites/external-keys/contract";

const CHANGE = { tag: "Sites", access: "token", ability: "sites:write" } as const;

export const getSiteRemoval = operation({
  id: "getSiteRemoval",
  method: "GET",
  path: "/api/sites/{id}/removal",
  ...CHANGE,
  summary: "Forecast what the deletion of a site ends",
  description: "Agents who lose their site, keys that stop working, and slots that become free.",
  ...byId("Site"),
  output: f.success({
    domain: f.text("Domain to type as confirmation.", "example.com"),
    agents: f.list(
      z.object({
        id: recordId,
        name: f.text("Name of the agent.", "Ece Demir"),
      }),
      "Agents of the site.",
    ),
    invitations: count.meta({ description: "Number of pending invitations." }),
    external_keys: f.list(ExternalKey, "External keys that stop working."),
    connections: f.list(
      z.object({
        id: recordId,
        label: f.text("Label of the connection.", "@kayakahve_bot"),
      }),
      "Connections that serve no other site; they are cleaned up.",
    ),
    mail_account: f.nullable(
      z.string(),
      "Sender address of the site's own mail account; null if none.",
      null,
    ),
    licence: f.nullable(
      z.object({
        id: recordId,
        status: f.oneOf(["pending", "active"], "State of the licence."),
        overdue: f.boolean("True when the payment deadline has passed."),
        stays_due: f.boolean("True when it has to be paid even after the deletion."),
        period_end: expiry.meta({ description: "When the licence period ends." }),
        created_at: createdAt,
      }),
      "Licence that pays for the site; null if none.",
      null,
    ),
    slot: f.nullable(
      z.object({
        subscription_id: recordId.meta({ description: "ID of the subscription." }),
        plan: f.text("Name of the plan.", "Pro"),
      }),
      "Subscription that gets a free slot; null if none.",
    ),
  }),
});

export const deleteSite = operation({
  id: "deleteSite",
  method: "DELETE",
  path: "/api/sites/{id}",
  ...CHANGE,
  summary: "Delete a site",
  description:
    "Immediate, without undo. `confirmation` is the site's domain, as Unicode or punycode. Needs a fresh proof of " +
    "identity. Frees the domain and the slot, ends a paid licence and deactivates the site's agents; an unpaid licence " +
    "stays due.",
  ...byId("Site"),
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    confirmation: z
      .string()
      .max(300)
      .meta({ description: "Domain of the site, as confirmation.", example: "example.com" }),
  }),
  output: f.changed(),
  errors: ["identity_unproven", "site_held"],
});
