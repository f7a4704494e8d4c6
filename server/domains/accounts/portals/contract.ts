import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, createdAt, Done, flag, message, success, timestamp } from "@/server/core/schema";
import { normaliseDomain } from "@/server/core/spelling";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { CHECKS, STATES } from "./policy";

/** Address at which a reseller's customers sign in. */
export const portalAddress = z
  .string()
  .meta({ description: "URL of the portal.", example: "https://panel.example.com" });

const LOCAL = /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.)+localhost)(?::\d{1,5})?\/?$/i;

/** Spelled as a site's; also a name below `.localhost`, which only demo mode accepts. */
const portalDomain = z
  .string()
  .max(300)
  .transform((value, ctx) => {
    const domain = LOCAL.exec(value)?.[1]?.toLowerCase() ?? normaliseDomain(value);
    if (domain) return domain;
    ctx.issues.push({ code: "custom", message: "validation.domain", input: value });
    return z.NEVER;
  })
  .meta({ example: "panel.example.com" });

const Check = z
  .object({
    name: z.enum(CHECKS).meta({
      description:
        "Subject of the check. `record`: the TXT record has the proof. `address`: the domain resolves. `answer`: it leads to this installation.",
    }),
    ok: z.boolean().meta({ description: "True when the check passed." }),
    detail: z.string().nullable().meta({
      description: "Result in detail; null if there is nothing to report.",
      example: "198.51.100.7",
    }),
  })
  .meta({ id: "PortalCheck", description: "A check of the portal's domain." });

const Portal = z
  .object({
    domain: z.string().meta({ description: "Domain of the portal.", example: "panel.example.com" }),
    url: portalAddress.meta({ description: "URL where customers sign in." }),
    lock_customers: z.boolean().meta({ description: "True when customers can only sign in at the portal." }),
    created_at: createdAt,
    state: z.enum(STATES).meta({
      description:
        "State of the domain. `pending`: not verified yet. `failing`: has failed its checks for a day. The portal works in neither.",
    }),
    verified_at: timestamp
      .nullable()
      .meta({ description: "When the domain was verified; null while the portal has no effect." }),
    failing_since: timestamp.nullable().meta({
      description: "When the checks of a verified domain began to fail; null if they pass.",
      example: null,
    }),
    checked_at: timestamp.nullable().meta({ description: "When it was last checked; null if never." }),
    dns: z
      .array(
        z.object({
          type: z.enum(["CNAME", "TXT"]).meta({ description: "Type of the record." }),
          name: z.string().meta({ description: "Name of the record.", example: "_tellal.panel.example.com" }),
          value: z
            .string()
            .meta({ description: "Value of the record.", example: "9f86d081884c7d659a2feaa0c55ad015" }),
        }),
      )
      .meta({ description: "DNS records to add." }),
    checks: z.array(Check).meta({ description: "Results of the latest check." }),
    customers_count: count.meta({ description: "Number of accounts affected by the lock." }),
  })
  .meta({ id: "Portal", description: "The portal of a reseller, on its own domain." });

const output = z.object({
  success,
  portal: Portal.nullable().meta({ description: "Portal of the reseller; null if none." }),
});

const LOCK_TEXT =
  "With `lock_customers`, and once the domain is verified, the reseller's customers can only sign in at the portal; elsewhere " +
  "they are refused with `portal_url`. The lock is lifted while the domain has failed its checks for a day.";

export const getPortal = operation({
  id: "getPortal",
  method: "GET",
  path: "/api/reseller/portal",
  tag: "Branding",
  summary: "Get the reseller's portal",
  description: `\`portal\` is null if there is none. ${LOCK_TEXT}`,
  access: "token",
  ability: "reseller:read",
  output,
  errors: ["agreement_unsigned"],
});

export const putPortal = operation({
  id: "putPortal",
  method: "PUT",
  path: "/api/reseller/portal",
  tag: "Branding",
  summary: "Set up or change the reseller's portal",
  description: `Needs a fresh proof of identity and a signed reseller agreement. ${LOCK_TEXT} ${EXPECTED_TEXT}`,
  access: "token",
  ability: "*",
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    domain: portalDomain.meta({ description: "Domain whose DNS record points to this installation." }),
    lock_customers: flag.nullish().meta({ description: "True to let customers sign in at the portal only." }),
    expected: Portal.pick({ domain: true, lock_customers: true })
      .nullish()
      .meta({ description: "Values the caller last saw; null for no portal." }),
  }),
  output: output.extend({ message }),
  errors: ["agreement_unsigned", "identity_unproven", "stale"],
});

export const deletePortal = operation({
  id: "deletePortal",
  method: "DELETE",
  path: "/api/reseller/portal",
  tag: "Branding",
  summary: "Remove the reseller's portal",
  description: "Customers then sign in at the platform's own URL. Needs a fresh proof of identity.",
  access: "token",
  ability: "*",
  output: Done,
  errors: ["agreement_unsigned", "identity_unproven", "record_not_found"],
});

export const checkPortal = operation({
  id: "checkPortal",
  method: "POST",
  path: "/api/reseller/portal/check",
  tag: "Branding",
  summary: "Check the portal's domain",
  description:
    "Reads the TXT record, resolves the domain and requests the proof from it. The portal works from the first successful " +
    "check on. Without this call a new domain is checked every ten minutes for two days, a verified one every six hours.",
  access: "token",
  ability: "*",
  limit: { points: 10, per: 60, by: "account" },
  output: z.object({ success, portal: Portal }),
  record: "ResellerPortal",
  errors: ["agreement_unsigned", "record_not_found"],
});

export const askPortalDomain = operation({
  id: "askPortalDomain",
  method: "GET",
  path: "/api/portal-domains",
  tag: "Branding",
  summary: "Check whether a domain belongs to a portal",
  description:
    "For a proxy that issues certificates on demand: 200 for a domain whose TXT record has named its portal, 404 for " +
    "others.",
  access: "public",
  limit: { points: 120, per: 60, by: "ip" },
  query: z.object({ domain: portalDomain.meta({ description: "Domain to look up." }) }),
  output: z.object({ success }),
  record: "ResellerPortal",
  errors: ["record_not_found"],
});
