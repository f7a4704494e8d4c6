import * as z from "zod";
import { operation } from "@/server/core/contract";
import { PageMeta, pageQuery } from "@/server/core/list";
import {
  count,
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

const lastFour = z.string().meta({ example: "x7Qk" });

export const regenerateExternalKey = operation({
  id: "regenerateExternalKey",
  method: "POST",
  path: "/api/sites/{id}/regenerate-external-key",
  tag: "Sites",
  summary: "Create a new external key",
  description:
    "For servers, sent as `X-API-Key`; it gives access to this site only and is in this response only. The previous key " +
    "stops working at once, or after `grace_minutes`. For the owner, and with a fresh proof of identity for the accounts " +
    "above and administrators.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  limit: { points: 10, per: 60, by: "account", named: true, durable: true },
  params: z.object({ id: pathId }),
  body: z.object({ grace_minutes: z.int().min(0).max(GRACE_MAX_MINUTES).meta({ example: 60 }).nullish() }),
  status: 200,
  output: z.object({
    success,
    message,
    external_api_key: z.string().meta({ example: "dse_…" }),
    last_four: lastFour,
    created_at: timestamp,
    previous_valid_until: expiry.nullable(),
  }),
  errors: ["record_not_found", "identity_unproven"],
});

/** An external key as people know it: by its end and its use. */
export const ExternalKey = z
  .object({
    last_four: lastFour,
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    last_used_ip: ipAddress.nullable(),
    valid_until: expiry.nullable(),
    ...recentUse,
  })
  .meta({ id: "ExternalKey" });

export const getSiteKeys = operation({
  id: "getSiteKeys",
  method: "GET",
  path: "/api/sites/{id}/keys",
  tag: "Sites",
  summary: "Get the keys of a site",
  description: "The public widget key in full; of external keys only the last four characters and their use.",
  access: "token",
  ability: "sites:write",
  viewAs: false,
  record: "Site",
  params: z.object({ id: pathId }),
  status: 200,
  output: z.object({
    success,
    widget_key: z.string().meta({ example: "dsk_…" }),
    external_key: ExternalKey.nullable(),
    /** Replaced keys in their grace time. */
    previous_keys: z.array(ExternalKey),
  }),
  errors: ["record_not_found"],
});

const ExternalKeyUse = ExternalKey.extend(keyUse).meta({ id: "ExternalKeyUse" });

export const getSiteKeysUse = operation({
  id: "getSiteKeysUse",
  method: "GET",
  path: "/api/sites/{id}/keys/use",
  tag: "Sites",
  summary: "Get what the external keys of a site are used for",
  description:
    "Of each key that works, the newest first: the last 30 days by operation and by address. Refused calls count, too. " +
    "Figures may be a minute late.",
  access: "token",
  ability: "sites:write",
  viewAs: false,
  record: "Site",
  params: z.object({ id: pathId }),
  status: 200,
  output: z.object({ success, keys: z.array(ExternalKeyUse), data: z.array(ExternalKeyUse), count }),
  errors: ["record_not_found"],
});

export const endPreviousKeys = operation({
  id: "endPreviousKeys",
  method: "POST",
  path: "/api/sites/{id}/keys/end-previous",
  tag: "Sites",
  summary: "End the replaced keys of a site now",
  description:
    "They are refused from their next call on, instead of after their grace period. The current key stays.",
  access: "token",
  ability: "sites:write",
  record: "Site",
  params: z.object({ id: pathId }),
  status: 200,
  output: Done,
  errors: ["record_not_found"],
});

const KeyOfSite = ExternalKey.extend({
  id: recordId,
  site_id: recordId,
  site_name: z.string().meta({ example: "Kahve Dükkânı" }),
  domain: z.string().meta({ example: "kahve.example.com" }),
}).meta({ id: "KeyOfSite" });

export const listSiteKeys = operation({
  id: "listSiteKeys",
  method: "GET",
  path: "/api/site-keys",
  tag: "Sites",
  summary: "List the external keys of all sites",
  description:
    "Of the sites that the caller manages; replaced keys in their grace period, too. The newest first, 50 a page.",
  access: "token",
  ability: "sites:write",
  viewAs: false,
  query: pageQuery,
  status: 200,
  output: z.object({ success, keys: z.array(KeyOfSite), data: z.array(KeyOfSite), count, meta: PageMeta }),
});
