import * as z from "zod";
import { operation } from "@/server/core/contract";
import { normaliseDomain } from "@/server/core/email-and-domain";
import * as f from "@/server/core/field";
import { count, createdAt, Done, flag, message, success, timestamp } from "@/server/core/schema";
import { EXPECTED_DESCRIPTION } from "@/server/core/stale";
import { PORTAL_CHECKS, PORTAL_STATES } from "./policy";

export const portalUrlField = f.text("URL of the portal.", "https://panel.example.com");

const LOCALHOST_PATTERN = /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.)+localhost)(?::\d{1,5})?\/?$/i;

/** Normalised like a site's domain. The service rejects `.localhost` outside demo mode. */
const portalDomain = z
  .string()
  .max(300)
  .transform((value, ctx) => {
    const domain = LOCALHOST_PATTERN.exec(value)?.[1]?.toLowerCase() ?? normaliseDomain(value);
    if (domain) return domain;
    ctx.issues.push({ code: "custom", message: "validation.domain", input: value });
    return z.NEVER;
  })
  .meta({ example: "panel.example.com" });

const Check = f.namedObject("PortalCheck", "A check of the portal's domain.", {
  name: f.oneOf(
    PORTAL_CHECKS,
    "Subject of the check. `record`: the TXT record has the proof. `address`: the domain resolves. `answer`: this installation responds there.",
    "address",
  ),
  ok: f.boolean("True when the check passed."),
  detail: f.nullable(
    z.string(),
    "Values found. For a failed check also an error code or an HTTP status. Null if there is nothing to report.",
    "198.51.100.7",
  ),
});

const Portal = f.namedObject("Portal", "The portal of a reseller, on its own domain.", {
  domain: f.text("Domain of the portal.", "panel.example.com"),
  url: portalUrlField.meta({ description: "URL where customers sign in." }),
  lock_customers: f.boolean("True when customers can only sign in at the portal."),
  created_at: createdAt,
  state: f.oneOf(
    PORTAL_STATES,
    "State of the domain. `pending`: not verified yet. `verified`: the portal works. `failing`: was verified, but has failed its checks for a day. The portal works only while the state is `verified`.",
    "verified",
  ),
  verified_at: f.nullable(timestamp, "When the domain was verified; null while the portal has no effect."),
  failing_since: f.nullable(
    timestamp,
    "When the checks of the verified domain began to fail; null while they pass.",
    null,
  ),
  checked_at: f.nullable(timestamp, "When the domain was last checked; null if never."),
  dns: f.list(
    z.object({
      type: f.oneOf(["CNAME", "TXT"], "Type of the record.", "TXT"),
      name: f.text("Name of the record.", "_tellal.panel.example.com"),
      value: f.text("Value of the record.", "9f86d081884c7d659a2feaa0c55ad015"),
    }),
    "DNS records to add.",
  ),
  checks: f.list(Check, "Results of the latest check."),
  customers_count: count.meta({
    description: "Number of the reseller's customers, to which the lock applies.",
  }),
});

const portalOutput = f.success({ portal: f.nullable(Portal, "Portal of the reseller; null if none.") });

const LOCK_DESCRIPTION =
  "If `lock_customers` is true and the domain is verified, the reseller's customers can sign in at the portal only. A " +
  "sign-in elsewhere is refused, and the response contains `portal_url`. The lock ends when the domain has failed its " +
  "checks for a day, and returns when a check succeeds again.";

export const getPortal = operation({
  id: "getPortal",
  method: "GET",
  path: "/api/reseller/portal",
  tag: "Branding",
  summary: "Get the reseller's portal",
  description: `\`portal\` is null if there is none. ${LOCK_DESCRIPTION}`,
  access: "token",
  ability: "reseller:read",
  output: portalOutput,
  errors: ["agreement_unsigned"],
});

const WRITE_ACCESS = { tag: "Branding", access: "token", ability: "*" } as const;

export const putPortal = operation({
  id: "putPortal",
  method: "PUT",
  path: "/api/reseller/portal",
  ...WRITE_ACCESS,
  summary: "Set up or change the reseller's portal",
  description: `Needs a recent proof of identity and a signed reseller agreement. A new domain must be verified: add the DNS records in \`dns\`. The first check is queued immediately. If another reseller has verified the domain, the response is a field error of \`domain\` (422). ${LOCK_DESCRIPTION} ${EXPECTED_DESCRIPTION}`,
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    domain: portalDomain.meta({ description: "Domain whose DNS record points to this installation." }),
    lock_customers: f.nullish(
      flag,
      "True to let customers sign in at the portal only; unchanged when omitted.",
    ),
    expected: f.nullish(
      Portal.pick({ domain: true, lock_customers: true }),
      "Values the caller last saw; null if there was no portal.",
    ),
  }),
  output: portalOutput.extend({ message }),
  errors: ["agreement_unsigned", "identity_unproven", "stale"],
});

export const deletePortal = operation({
  id: "deletePortal",
  method: "DELETE",
  path: "/api/reseller/portal",
  ...WRITE_ACCESS,
  summary: "Remove the reseller's portal",
  description:
    "The domain stops working immediately, the sign-in lock ends, and customers sign in at the platform's own URL. " +
    "Needs a recent proof of identity.",
  output: Done,
  errors: ["agreement_unsigned", "identity_unproven", "record_not_found"],
});

export const checkPortal = operation({
  id: "checkPortal",
  method: "POST",
  path: "/api/reseller/portal/check",
  ...WRITE_ACCESS,
  summary: "Check the portal's domain",
  description:
    "Reads the TXT record, resolves the domain and requests the proof from that address. The portal works after the " +
    "first successful check. A job also checks domains: a new one every ten minutes for two days, a verified one every " +
    "six hours, a failing one every ten minutes.",
  limit: { points: 10, per: 60, by: "account" },
  output: f.success({ portal: Portal }),
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
    "A proxy that issues certificates on demand asks here first. The status is 200 if the domain's TXT record contains the " +
    "proof of a portal or once did, otherwise 404.",
  access: "public",
  limit: { points: 120, per: 60, by: "ip" },
  query: z.object({ domain: portalDomain.meta({ description: "Domain to look up." }) }),
  output: z.object({ success }),
  record: "ResellerPortal",
  errors: ["record_not_found"],
});
