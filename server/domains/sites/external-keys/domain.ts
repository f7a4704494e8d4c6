import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  endPreviousKeys,
  getSiteKeys,
  getSiteKeysUse,
  listSiteKeys,
  regenerateExternalKey,
} from "./contract";
import { exports } from "./export";
import { deleteExpiredKeysJob } from "./jobs";
import { endPrevious, keyAdditions, keys, list, regenerate, use } from "./service";

export const externalKeys = domain({
  operations: {
    get: handle(getSiteKeys, keys),
    list: handle(listSiteKeys, list),
    use: handle(getSiteKeysUse, use),
    endPrevious: handle(endPreviousKeys, endPrevious),
    regenerate: handle(regenerateExternalKey, regenerate),
  },
  jobs: {
    forget_external_keys: job(deleteExpiredKeysJob, { cron: "22 * * * *", catchUp: "1d" }),
  },
  additions: { external_key: keyAdditions },
  relations: [
    { table: "external_keys", column: "site_id", of: "site", export: "site_keys" },
    {
      table: "external_keys",
      column: "made_by_id",
      of: "others",
      export: { omittedBecause: "keys of other owners' sites, which end with the creator's account" },
    },
  ],
  exports,
  notices: ["site_key_renewed", "site_keys_ended"],
  audit: ["site.external_key_renewed", "site.previous_keys_ended", "site.external_keys_ended"],
  tokens: { dse: "external key of a site, `X-API-Key`" },
});
