import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput, pageOutput, pageQuery } from "@/server/core/list";
import { byId, createdAt, Done, expiry, ipAddress, recordId, timestamp } from "@/server/core/schema";
import { keyUseFields, recentUseFields } from "@/server/domains/accounts/key-use/contract";
import { KEY_GRACE_MAX_MINUTES } from "./policy";

const lastFour = f.text("Last four characters of the key.", "x7Qk");

// Reads need `sites:write`, too.
const WRITE = { tag: "Sites", access: "token", ability: "sites:write" } as const;

export const regenerateExternalKey = operation({
  id: "regenerateExternalKey",
  method: "POST",
  path: "/api/sites/{id}/regenerate-external-key",
  ...WRITE,
  summary: "Renew the external key of a site",
  description:
    "Creates a key for servers, which send it as `X-API-Key`. The key gives access to this site only, and " +
    "only this response contains it. The previous key stops working immediately, or after `grace_minutes`. " +
    "For a site of another owner the caller needs a recent proof of identity, and the owner gets an email.",
  ...byId("Site"),
  limit: { points: 10, per: 60, by: "account", isDocumented: true, durable: true },
  body: z.object({
    grace_minutes: f.nullish(
      z.int().min(0).max(KEY_GRACE_MAX_MINUTES),
      "Minutes the previous key stays valid, at most 10,080 (a week); 0 when omitted.",
      60,
    ),
  }),
  output: f.changeOutput({
    external_api_key: f.text("The new key, `dse_…`; shown once.", "dse_…"),
    last_four: lastFour,
    created_at: createdAt,
    previous_valid_until: f.nullable(
      expiry,
      "When the previous key stops working; null if it stopped immediately or did not exist.",
    ),
  }),
  errors: ["identity_unproven"],
});

export const ExternalKey = f.namedObject("ExternalKey", "An external key, without its secret.", {
  last_four: lastFour,
  created_at: createdAt,
  last_used_at: f.nullable(
    timestamp,
    "When the key was last used, updated at most once a minute; null if never.",
  ),
  last_used_ip: f.nullable(ipAddress, "IP address of the last use; null if never."),
  valid_until: f.nullable(expiry, "When a replaced key stops working; null for the current key.", null),
  ...recentUseFields,
});

export const getSiteKeys = operation({
  id: "getSiteKeys",
  method: "GET",
  path: "/api/sites/{id}/keys",
  ...WRITE,
  summary: "Get the keys of a site",
  description:
    "The widget key is masked unless the caller owns the site. External keys are returned without their " +
    "secret.",
  viewAs: false,
  ...byId("Site"),
  output: f.success({
    widget_key: f.text(
      "Key of the widget, `dsk_…`, which is part of the visitors' pages. Callers other than the site's " +
        "owner get only its last four characters: `dsk_****x7Qk`.",
      "dsk_…",
    ),
    external_key: f.nullable(ExternalKey, "Current external key; null if none."),
    previous_keys: f.list(ExternalKey, "Replaced keys that are still valid, newest first.", [
      {
        last_four: "m4Tz",
        created_at: "2027-10-20T09:30:00.000000Z",
        last_used_at: "2027-11-20T09:30:00.000000Z",
        last_used_ip: "203.0.113.7",
        valid_until: "2027-12-20T09:30:00.000000Z",
        calls_7d: 12,
        addresses_count: 1,
      },
    ]),
  }),
});

const ExternalKeyUse = ExternalKey.extend(keyUseFields).meta({
  id: "ExternalKeyUse",
  description: "An external key with its use.",
});

export const getSiteKeysUse = operation({
  id: "getSiteKeysUse",
  method: "GET",
  path: "/api/sites/{id}/keys/use",
  ...WRITE,
  summary: "Get the usage of a site's external keys",
  description:
    "Valid keys, newest first. Each has the number of its calls in the last 30 days by operation and by IP " +
    "address, including refused calls. Numbers can be a minute old.",
  viewAs: false,
  ...byId("Site"),
  output: listOutput("keys", ExternalKeyUse, "Valid keys with their use, newest first."),
});

export const endPreviousKeys = operation({
  id: "endPreviousKeys",
  method: "POST",
  path: "/api/sites/{id}/keys/end-previous",
  ...WRITE,
  summary: "Revoke the replaced keys of a site",
  description: "Ends the grace period of replaced keys immediately. The current key stays valid.",
  ...byId("Site"),
  output: Done,
});

const ExternalKeyWithSite = ExternalKey.extend({
  id: recordId.meta({ description: "ID of the key.", example: 31 }),
  site_id: recordId.meta({ description: "ID of the site.", example: 7 }),
  site_name: f.text("Name of the site.", "Kahve Dükkânı"),
  domain: f.text("Domain of the site, without scheme or path.", "kahve.example.com"),
}).meta({ id: "KeyOfSite", description: "An external key with its site." });

export const listSiteKeys = operation({
  id: "listSiteKeys",
  method: "GET",
  path: "/api/site-keys",
  ...WRITE,
  summary: "List the external keys of all sites",
  description:
    "Valid keys of the sites that the caller manages, newest first. Replaced keys are included until their " +
    "grace period ends.",
  viewAs: false,
  query: pageQuery,
  output: pageOutput("keys", ExternalKeyWithSite, "External keys on this page."),
});
