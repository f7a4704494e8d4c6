import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { getSiteKeys, regenerateExternalKey } from "./contract";
import { exports } from "./export";
import { forgetExternalKeysJob } from "./jobs";
import { keys, regenerate } from "./service";

export const externalKeys = domain({
  operations: {
    get: handle(getSiteKeys, keys),
    regenerate: handle(regenerateExternalKey, regenerate),
  },
  jobs: {
    forget_external_keys: job(forgetExternalKeysJob, { cron: "22 * * * *", fill: "1d" }),
  },
  relations: [{ table: "external_keys", column: "site_id", of: "site", export: "site_keys" }],
  exports,
  notices: ["site_key_renewed"],
  audit: ["site.external_key_renewed"],
  tokens: { dse: "external key of a site, `X-API-Key`" },
});
