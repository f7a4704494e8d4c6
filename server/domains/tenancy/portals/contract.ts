import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, Done, flag, message, success, timestamp } from "@/server/core/schema";
import { normaliseDomain } from "@/server/core/spelling";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { portalAddress } from "@/server/domains/access/sign-in/contract";
import { CHECKS, STATES } from "./policy";

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
    /** `record`: the TXT record says the proof. `address`: the domain leads somewhere. `answer`: it leads here. */
    name: z.enum(CHECKS),
    ok: z.boolean(),
    /** What was found instead, or along with it. */
    detail: z.string().nullable().meta({ example: "198.51.100.7" }),
  })
  .meta({ id: "PortalCheck" });

const Portal = z
  .object({
    domain: z.string().meta({ example: "panel.example.com" }),
    /** Where customers sign in. */
    url: portalAddress,
    lock_customers: z.boolean(),
    created_at: timestamp,
    /** `pending`: not proved yet. `failing`: it was, and failed its checks for a day. Neither has any effect. */
    state: z.enum(STATES),
    /** Since when the domain is proved to be the reseller's: without it the portal has no effect. */
    verified_at: timestamp.nullable(),
    /** Since when the checks of a proved domain fail. */
    failing_since: timestamp.nullable().meta({ example: null }),
    checked_at: timestamp.nullable(),
    /** Records to add where the domain is managed. */
    dns: z.array(
      z.object({
        type: z.enum(["CNAME", "TXT"]),
        name: z.string().meta({ example: "_tellal.panel.example.com" }),
        value: z.string().meta({ example: "9f86d081884c7d659a2feaa0c55ad015" }),
      }),
    ),
    /** What the last check found. */
    checks: z.array(Check),
    /** Accounts the lock means. */
    customers_count: count,
  })
  .meta({ id: "Portal" });

const output = z.object({ success, portal: Portal.nullable() });

const LOCK_TEXT =
  "With `lock_customers`, and once the domain is proved, the reseller's customers can sign in at the portal only; elsewhere " +
  "they are refused with `portal_url`. A domain that fails its checks for a day locks nobody until they pass again.";

export const getPortal = operation({
  id: "getPortal",
  method: "GET",
  path: "/api/reseller/portal",
  tag: "Branding",
  summary: "Get the reseller's portal",
  description: `\`portal\` is null if there is none. ${LOCK_TEXT}`,
  access: "token",
  ability: "reseller:read",
  status: 200,
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
    /** Whose DNS record points at this installation. */
    domain: portalDomain,
    lock_customers: flag.nullish(),
    /** Null: there was none. */
    expected: Portal.pick({ domain: true, lock_customers: true }).nullish(),
  }),
  status: 200,
  output: output.extend({ message }),
  errors: ["agreement_unsigned", "identity_unproven", "stale"],
});

export const deletePortal = operation({
  id: "deletePortal",
  method: "DELETE",
  path: "/api/reseller/portal",
  tag: "Branding",
  summary: "Remove the reseller's portal",
  description: "Customers then sign in at the platform's own address again. Needs a fresh proof of identity.",
  access: "token",
  ability: "*",
  status: 200,
  output: Done,
  errors: ["agreement_unsigned", "identity_unproven", "record_not_found"],
});

export const checkPortal = operation({
  id: "checkPortal",
  method: "POST",
  path: "/api/reseller/portal/check",
  tag: "Branding",
  summary: "Check the portal's domain now",
  description:
    "Reads the TXT record, resolves the domain and asks it for the proof. The domain counts from the first check that passes. " +
    "Without this call a new domain is checked every ten minutes for two days, a proved one every six hours.",
  access: "token",
  ability: "*",
  limit: { points: 10, per: 60, by: "account" },
  status: 200,
  output: z.object({ success, portal: Portal }),
  record: "ResellerPortal",
  errors: ["agreement_unsigned", "record_not_found"],
});

export const askPortalDomain = operation({
  id: "askPortalDomain",
  method: "GET",
  path: "/api/portal-domains",
  tag: "Branding",
  summary: "Ask whether a domain is a portal's",
  description:
    "For a proxy that gets certificates on demand: 200 for a domain whose TXT record has named its portal, 404 for others.",
  access: "public",
  limit: { points: 120, per: 60, by: "ip" },
  query: z.object({ domain: portalDomain }),
  status: 200,
  output: z.object({ success }),
  record: "ResellerPortal",
  errors: ["record_not_found"],
});
