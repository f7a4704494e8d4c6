import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listOutput, pageOutput, pageQuery } from "@/server/core/list";
import { byId, createdAt, Done, expiry, ipAddress, recordId, timestamp } from "@/server/core/schema";
import { keyUse, recentUse } from "@/server/domains/accounts/key-use/contract";
import { GRACE_MAX_MINUTES } from "./policy";

const lastFour = f.text("Last four characters of the key.", "x7Qk");

const CHANGE = { tag: "Sites", access: "token", ability: "sites:write" } as const;

export const regenerateExternalKey = operation({
  id: "regenerateExternalKey",
  method: "POST",
  path: "/api/sites/{id}/regenerate-external-key",
  ...CHANGE,
  summary: "Create a new external key",
  description:
    "For servers, sent as `X-API-Key`. The key gives access to this site only and is in this response only. The previous " +
    "key stops working immediately, or after `grace_minutes`. Open to the owner; parent accounts and administrators need " +
    "a fresh proof of identity.",
  ...byId("Site"),
  limit: { points: 10, per: 60, by: "account", named: true, durable: true },
  body: z.object({
    grace_minutes: f.nullish(
      z.int().min(0).max(GRACE_MAX_MINUTES),
      "Minutes the previous key stays valid; 0 when omitted.",
      60,
    ),
  }),
  output: f.changed({
    external_api_key: f.text("The new key, `dse_…`; shown once.", "dse_…"),
    last_four: lastFour,
    created_at: createdAt,
    previous_valid_until: f.nullable(
      expiry,
      "When the previous key stops working; null if it has stopped or did not exist.",
    ),
  }),
  errors: ["identity_unproven"],
});

export const ExternalKey = f.named("ExternalKey", "An external key, without its secret.", {
  last_four: lastFour,
  created_at: createdAt,
  last_used_at: f.nullable(timestamp, "When it was last used; null if never."),
  last_used_ip: f.nullable(ipAddress, "IP address of the last use; null if never used."),
  valid_until: f.nullable(expiry, "When a replaced key stops working; null for the current key."),
  ...recentUse,
});

export const getSiteKeys = operation({
  id: "getSiteKeys",
  method: "GET",
  path: "/api/sites/{id}/keys",
  ...CHANGE,
  summary: "Get the keys of a site",
  description: "The public widget key in full; only the last four characters and the use of external keys.",
  viewAs: false,
  ...byId("Site"),
  output: f.success({
    widget_key: f.text("Public key of the widget, `dsk_…`.", "dsk_…"),
    external_key: f.nullable(ExternalKey, "Current external key; null if none."),
    previous_keys: f.list(ExternalKey, "Replaced keys in their grace period."),
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
  ...CHANGE,
  summary: "Get the use of a site's external keys",
  description:
    "For each working key, newest first: the last 30 days by operation and by address. Refused calls count, too. Figures " +
    "may be a minute late.",
  viewAs: false,
  ...byId("Site"),
  output: listOutput("keys", ExternalKeyUse, "Working keys with their use, newest first."),
});

export const endPreviousKeys = operation({
  id: "endPreviousKeys",
  method: "POST",
  path: "/api/sites/{id}/keys/end-previous",
  ...CHANGE,
  summary: "End the replaced keys of a site",
  description:
    "Replaced keys are refused from the next call on, instead of after their grace period. The current key stays.",
  ...byId("Site"),
  output: Done,
});

const KeyOfSite = ExternalKey.extend({
  id: recordId,
  site_id: recordId.meta({ description: "ID of the site." }),
  site_name: f.text("Name of the site.", "Kahve Dükkânı"),
  domain: f.text("Domain of the site, without scheme or path.", "kahve.example.com"),
}).meta({ id: "KeyOfSite", description: "An external key with its site." });

export const listSiteKeys = operation({
  id: "listSiteKeys",
  method: "GET",
  path: "/api/site-keys",
  ...CHANGE,
  summary: "List the external keys of all sites",
  description:
    "Keys of the sites that the caller manages, including replaced keys in their grace period. Newest first, 50 per page.",
  viewAs: false,
  query: pageQuery,
  output: pageOutput("keys", KeyOfSite, "External keys on this page."),
});
