import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  createSite,
  downloadSites,
  getSite,
  getSiteForecast,
  getSiteKeys,
  listSites,
  regenerateExternalKey,
  updateSite,
} from "./contract";
import { siteErrors } from "./errors";
import { exports } from "./export";
import { foldSitesJob, forgetExternalKeysJob } from "./jobs";
import { create } from "./service/create";
import { download } from "./service/download";
import { keys, regenerate } from "./service/external-key";
import { forecast } from "./service/forecast";
import { list } from "./service/list";
import { get } from "./service/read";
import { update } from "./service/update";
import { SITES_OF_CALLER } from "./statements";

export const sites = domain({
  operations: {
    list: handle(listSites, list, SITES_OF_CALLER),
    download: handle(downloadSites, download),
    create: handle(createSite, create),
    get: handle(getSite, get),
    update: handle(updateSite, update),
    getForecast: handle(getSiteForecast, forecast),
    getKeys: handle(getSiteKeys, keys),
    regenerateExternalKey: handle(regenerateExternalKey, regenerate),
  },
  jobs: {
    fold_sites: job(foldSitesJob, { cron: "*/5 * * * *" }),
    forget_external_keys: job(forgetExternalKeysJob, { cron: "22 * * * *", fill: "1d" }),
  },
  sealed: [
    { table: "sites", column: "api_key_sealed", purpose: "widget_key" },
    { table: "sites", column: "ai_provider_key_sealed", purpose: "ai_provider_key" },
  ],
  relations: [
    { table: "sites", column: "user_id", topic: "sites", onDeletion: "anonymise", export: "sites" },
    {
      table: "sites",
      column: "reseller_id",
      topic: "customers",
      onDeletion: "detach",
      export: { leftOut: "follows the owner's reseller, who is in the owner's own data" },
    },
    { table: "external_keys", column: "site_id", of: "site", export: "site_keys" },
  ],
  exports,
  notices: ["site_key_renewed"],
  audit: ["site.created", "site.changed", "site.external_key_renewed"],
  errors: siteErrors,
  tokens: { dsk: "widget key, public", dse: "external key of a site, `X-API-Key`" },
});
