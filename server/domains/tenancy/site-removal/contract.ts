import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { byId, count, createdAt, expiry, recordId } from "@/server/core/schema";
import { ExternalKey } from "@/server/domains/sites/external-keys/contract";

const SITE_OPERATION = { tag: "Sites", access: "token", ability: "sites:write" } as const;

export const getSiteRemoval = operation({
  id: "getSiteRemoval",
  method: "GET",
  path: "/api/sites/{id}/removal",
  ...SITE_OPERATION,
  summary: "Preview the deletion of a site",
  description:
    "Returns what would end or become free if the site was deleted now. Changes nothing. 403 for agents " +
    "and for accounts that cannot manage the site. 404 if the site does not exist or is deleted.",
  ...byId("Site"),
  output: f.success({
    domain: f.text("Domain of the site in punycode. It confirms the deletion.", "example.com"),
    agents: f.list(
      z.object({
        id: recordId,
        name: f.text("Name of the agent.", "Ece Demir"),
      }),
      "Agents of the site. They are signed out and deactivated.",
    ),
    invitations: count.meta({ description: "Number of pending invitations of agents. They are cancelled." }),
    external_keys: f.list(ExternalKey, "External keys that stop working."),
    connections: f.list(
      z.object({
        id: recordId,
        label: f.text("Label of the connection.", "@kayakahve_bot"),
      }),
      "Connections that serve no other site. They are removed as with `cleanConnections`.",
    ),
    mail_account: f.nullable(
      z.string(),
      "Sender address of the site's email account, which is deleted; null if the site has none.",
      null,
    ),
    licence: f.nullable(
      z.object({
        id: recordId,
        status: f.oneOf(
          ["pending", "active"],
          "`pending`: not paid yet. `active`: paid for the current period.",
        ),
        overdue: f.boolean("True when a pending licence has passed its payment deadline."),
        stays_due: f.boolean("True when the licence must be paid even after the deletion."),
        period_end: expiry.meta({ description: "When the licence period ends." }),
        created_at: createdAt,
      }),
      "Pending or active licence of the site; null if none.",
      null,
    ),
    slot: f.nullable(
      z.object({
        subscription_id: recordId.meta({ description: "ID of the subscription." }),
        plan: f.text("Name of the plan.", "Pro"),
      }),
      "Subscription whose slot becomes free; null if the site uses none.",
    ),
  }),
});

export const deleteSite = operation({
  id: "deleteSite",
  method: "DELETE",
  path: "/api/sites/{id}",
  ...SITE_OPERATION,
  summary: "Delete a site",
  description:
    "Deletes the site immediately; this cannot be undone. `confirmation` must be the site's domain, in " +
    "Unicode or punycode. Needs a recent proof of identity. Frees the domain and the slot, ends a paid " +
    "licence, and signs out and deactivates the site's agents. An unpaid licence may stay due. The owner " +
    "is notified by email if another account deletes the site. 403 for agents, 403 `site_held` if an " +
    "administrator suspended the site, 422 for a wrong `confirmation`.",
  ...byId("Site"),
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    confirmation: z
      .string()
      .max(300)
      .meta({ description: "Domain of the site, to confirm the deletion.", example: "example.com" }),
  }),
  output: f.changeOutput(),
  errors: ["identity_unproven", "site_held"],
});
