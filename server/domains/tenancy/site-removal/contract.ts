import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, expiry, message, pathId, recordId, success, timestamp } from "@/server/core/schema";
import { ExternalKey } from "@/server/domains/sites/external-keys/contract";

export const getSiteRemoval = operation({
  id: "getSiteRemoval",
  method: "GET",
  path: "/api/sites/{id}/removal",
  tag: "Sites",
  summary: "Forecast what ends with a site",
  description: "Agents who lose their site, keys that stop working, and what becomes free.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  params: z.object({ id: pathId }),
  status: 200,
  output: z.object({
    success,
    /** What the caller types to delete the site. */
    domain: z.string().meta({ example: "example.com" }),
    agents: z.array(z.object({ id: recordId, name: z.string().meta({ example: "Ece Demir" }) })),
    invitations: count,
    external_keys: z.array(ExternalKey),
    /** Channel connections that serve no other site: they are cleaned up. */
    connections: z.array(z.object({ id: recordId, label: z.string().meta({ example: "@kayakahve_bot" }) })),
    /** The address that the site's own mail account sends from. */
    mail_account: z.string().nullable().meta({ example: null }),
    licence: z
      .object({
        id: recordId,
        status: z.enum(["pending", "active"]),
        overdue: z.boolean(),
        /** Whether it stays to be paid after the deletion. */
        stays_due: z.boolean(),
        period_end: expiry,
        created_at: timestamp,
      })
      .nullable()
      .meta({ example: null }),
    /** The subscription that has one more free slot then. */
    slot: z.object({ subscription_id: recordId, plan: z.string().meta({ example: "Pro" }) }).nullable(),
  }),
  errors: ["record_not_found"],
});

export const deleteSite = operation({
  id: "deleteSite",
  method: "DELETE",
  path: "/api/sites/{id}",
  tag: "Sites",
  summary: "Delete a site",
  description:
    "At once and without undo. `confirmation` is the site's domain, as people write it or in punycode. Needs a fresh proof " +
    "of identity. Its domain and slot are free again, a paid licence ends, an unpaid one stays to be paid, agents of the site are deactivated.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  limit: { points: 30, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  body: z.object({ confirmation: z.string().max(300).meta({ example: "example.com" }) }),
  status: 200,
  output: z.object({ success, message }),
  errors: ["record_not_found", "identity_unproven", "site_held"],
});
