import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  endPreviousKeys,
  getSiteKeys,
  getSiteKeysUse,
  listSiteKeys,
  regenerateExternalKey,
} from "./contract";
import { archiveReaders } from "./export";
import { deleteExpiredKeysJob } from "./jobs";
import {
  endReplacedKeys,
  externalKeyAdditions,
  getKeysOfSite,
  getUseOfSiteKeys,
  listManagedKeys,
  renewExternalKey,
} from "./service";

export const externalKeys = domain({
  operations: {
    get: createHandler(getSiteKeys, getKeysOfSite),
    list: createHandler(listSiteKeys, listManagedKeys),
    use: createHandler(getSiteKeysUse, getUseOfSiteKeys),
    endPrevious: createHandler(endPreviousKeys, endReplacedKeys),
    regenerate: createHandler(regenerateExternalKey, renewExternalKey),
  },
  jobs: {
    forget_external_keys: job(deleteExpiredKeysJob, { cron: "22 * * * *", catchUp: "1d" }),
  },
  additions: { external_key: externalKeyAdditions },
  relations: [
    { table: "external_keys", column: "site_id", rowsBelongTo: "site", export: "site_keys" },
    {
      table: "external_keys",
      column: "made_by_id",
      rowsBelongTo: "others",
      export: { omittedBecause: "keys of other owners' sites, which end with the creator's account" },
    },
  ],
  exports: archiveReaders,
  notices: ["site_key_renewed", "site_keys_ended"],
  audit: ["site.external_key_renewed", "site.previous_keys_ended", "site.external_keys_ended"],
  tokens: { dse: "external key of a site, `X-API-Key`" },
});
