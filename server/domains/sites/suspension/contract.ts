import * as z from "zod";
import { operation } from "@/server/core/contract";
import { message, pathId, success } from "@/server/core/schema";
import { Confirmation, Site, SiteBilling } from "@/server/domains/sites/sites/contract";

const State = Site.pick({ id: true, is_active: true, suspended_reason: true, subscription_id: true }).meta({
  description: "The site after the change.",
});

export const suspendSite = operation({
  id: "suspendSite",
  method: "POST",
  path: "/api/sites/{id}/suspend",
  tag: "Sites",
  summary: "Suspend a site",
  description:
    "An administrator needs a fresh proof of identity for another owner's site. The site keeps its slot or licence. A " +
    "suspended site keeps its state and reason; only an administrator's suspension replaces the reason. The owner gets a " +
    "mail when another person suspends the site.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  limit: { points: 60, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  status: 200,
  output: z.object({ success, message, site: State }),
  errors: ["identity_unproven", "record_not_found"],
});

export const activateSite = operation({
  id: "activateSite",
  method: "POST",
  path: "/api/sites/{id}/activate",
  tag: "Sites",
  summary: "Activate a suspended site",
  description:
    "An administrator needs a fresh proof of identity for another owner's site. While its slot or licence pays, the site " +
    "is active immediately. Otherwise it takes a free slot of its owner, or a reseller confirms an annual licence, and " +
    "anyone else needs another plan, as at creation. An overdue licence is paid first: 402 with its `reference`. Only an " +
    "administrator can activate a site that an administrator suspended. An active site stays as it is.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  limit: { points: 60, per: 3600, by: "account" },
  params: z.object({ id: pathId }),
  body: Confirmation,
  status: 200,
  output: z.object({
    success,
    message,
    site: State,
    billing: SiteBilling.nullable().meta({
      description: "New payment for the site; null if it has not changed.",
    }),
  }),
  errors: [
    "identity_unproven",
    "record_not_found",
    "site_needs_confirmation",
    "site_needs_upgrade",
    "agreement_unsigned",
    "site_held",
    "licence_overdue",
  ],
});
