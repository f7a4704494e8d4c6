import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  activateSite,
  createSite,
  downloadSites,
  getSite,
  getSiteForecast,
  listSites,
  suspendSite,
  updateSite,
} from "./contract";
import { exports } from "./export";
import { foldSitesJob } from "./jobs";
import { activate } from "./service/activate";
import { create } from "./service/create";
import { download } from "./service/download";
import { forecast } from "./service/forecast";
import { list } from "./service/list";
import { get } from "./service/read";
import { suspend } from "./service/suspend";
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
    suspend: handle(suspendSite, suspend),
    activate: handle(activateSite, activate),
  },
  jobs: {
    fold_sites: job(foldSitesJob, { cron: "*/5 * * * *" }),
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
      export: { omittedBecause: "follows the owner's reseller, who is in the owner's own data" },
    },
  ],
  exports,
  audit: ["site.created", "site.changed", "site.activated"],
  // An account that ever had a site is anonymised on deletion, not deleted.
  evidence: ["site.created"],
  tokens: { dsk: "widget key, public" },
  notices: ["site_suspended", "site_activated"],
});
