import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listOutput, pageOutput, pageQuery } from "@/server/core/list";
import {
  createdAt,
  Done,
  expiry,
  ipAddress,
  message,
  pathId,
  recordId,
  success,
  timestamp,
} from "@/server/core/schema";
import { keyUse, recentUse } from "@/server/domains/accounts/key-use/contract";
import { GRACE_MAX_MINUTES } from "./policy";

const lastFour = z.string().meta({ description: "Last four characters of the key.", example: "x7Qk" });

export const regenerateExternalKey = operation({
  id: "regenerateExternalKey",
  method: "POST",
  path: "/api/sites/{id}/regenerate-external-key",
  tag: "Sites",
  summary: "Create a new external key",
  description:
    "For servers, sent as `X-API-Key`. The key gives access to this site only and is in this response only. The previous " +
    "key stops working immediately, or after `grace_minutes`. Open to the owner; parent accounts and administrators need " +
    "a fresh proof of identity.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  limit: { points: 10, per: 60, by: "account", named: true, durable: true },
  params: z.object({ id: pathId }),
  body: z.object({
    grace_minutes: z
      .int()
      .min(0)
      .max(GRACE_MAX_MINUTES)
      .nullish()
      .meta({ description: "Minutes the previous key stays valid; 0 when omitted.", example: 60 }),
  }),
  output: z.object({
    success,
    message,
    external_api_key: z.string().meta({ description: "The new key, `dse_…`; shown once.", example: "dse_…" }),
    last_four: lastFour,
    created_at: createdAt,
    previous_valid_until: expiry.nullable().meta({
      description: "When the previous key stops working; null if it has stopped or did not exist.",
    }),
  }),
  errors: ["identity_unproven"],
});

export const ExternalKey = z
  .object({
    last_four: lastFour,
    created_at: createdAt,
    last_used_at: timestamp.nullable().meta({ description: "When it was last used; null if never." }),
    last_used_ip: ipAddress
      .nullable()
      .meta({ description: "IP address of the last use; null if never used." }),
    valid_until: expiry
      .nullable()
      .meta({ description: "When a replaced key stops working; null for the current key." }),
    ...recentUse,
  })
  .meta({ id: "ExternalKey", description: "An external key, without its secret." });

export const getSiteKeys = operation({
  id: "getSiteKeys",
  method: "GET",
  path: "/api/sites/{id}/keys",
  tag: "Sites",
  summary: "Get the keys of a site",
  description: "The public widget key in full; only the last four characters and the use of external keys.",
  access: "token",
  ability: "sites:write",
  viewAs: false,
  record: "Site",
  params: z.object({ id: pathId }),
  output: z.object({
    success,
    widget_key: z.string().meta({ description: "Public key of the widget, `dsk_…`.", example: "dsk_…" }),
    external_key: ExternalKey.nullable().meta({
      description: "Current external key; null if none.",
    }),
    previous_keys: z.array(ExternalKey).meta({ description: "Replaced keys in their grace period." }),
  }),
});

const ExternalKeyUse = ExternalKey.extend(keyUse).meta({
  id: "ExternalKeyUse",
  description: "An external key and what it was used for.",
});

export const getSiteKeysUse = operation({
  id: "getSiteKeysUse",
  method: "GET",
  path: "/api/sites/{id}/keys/use",
  tag: "Sites",
  summary: "Get the use of a site's external keys",
  description:
    "For each working key, newest first: the last 30 days by operation and by address. Refused calls count, too. Figures " +
    "may be a minute late.",
  access: "token",
  ability: "sites:write",
  viewAs: false,
  record: "Site",
  params: z.object({ id: pathId }),
  output: listOutput("keys", ExternalKeyUse, "Working keys with their use, newest first."),
});

export const endPreviousKeys = operation({
  id: "endPreviousKeys",
  method: "POST",
  path: "/api/sites/{id}/keys/end-previous",
  tag: "Sites",
  summary: "End the replaced keys of a site",
  description:
    "Replaced keys are refused from the next call on, instead of after their grace period. The current key stays.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  params: z.object({ id: pathId }),
  output: Done,
});

const KeyOfSite = ExternalKey.extend({
  id: recordId,
  site_id: recordId.meta({ description: "ID of the site." }),
  site_name: z.string().meta({ description: "Name of the site.", example: "Kahve Dükkânı" }),
  domain: z
    .string()
    .meta({ description: "Domain of the site, without scheme or path.", example: "kahve.example.com" }),
}).meta({ id: "KeyOfSite", description: "An external key with its site." });

export const listSiteKeys = operation({
  id: "listSiteKeys",
  method: "GET",
  path: "/api/site-keys",
  tag: "Sites",
  summary: "List the external keys of all sites",
  description:
    "Keys of the sites that the caller manages, including replaced keys in their grace period. Newest first, 50 per page.",
  access: "token",
  ability: "sites:write",
  viewAs: false,
  query: pageQuery,
  output: pageOutput("keys", KeyOfSite, "External keys on this page."),
});
