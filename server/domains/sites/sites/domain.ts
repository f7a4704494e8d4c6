import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  activateSite,
  createSite,
  downloadSites,
  getPublicWidget,
  getSite,
  getSiteForecast,
  getSiteSeries,
  listSites,
  reportWidgetSeen,
  suspendSite,
  updateSite,
} from "./contract";
import { archiveReaders } from "./export";
import { fillSiteSearchTextsJob } from "./jobs";
import { activateManagedSite } from "./service/activate";
import { addSite } from "./service/create";
import { downloadSiteList } from "./service/download";
import { forecastBilling } from "./service/forecast";
import { listReachableSites } from "./service/list";
import { readSite } from "./service/read";
import { countSitesOverTime } from "./service/series";
import { suspendManagedSite } from "./service/suspend";
import { updateManagedSite } from "./service/update";
import { readPublicWidget, recordWidgetReport } from "./service/widget";
import { CALLER_SITE_LIST_SQL } from "./statements";

export const sites = domain({
  operations: {
    list: createHandler(listSites, listReachableSites, CALLER_SITE_LIST_SQL),
    download: createHandler(downloadSites, downloadSiteList),
    series: createHandler(getSiteSeries, countSitesOverTime),
    create: createHandler(createSite, addSite),
    get: createHandler(getSite, readSite),
    update: createHandler(updateSite, updateManagedSite),
    getForecast: createHandler(getSiteForecast, forecastBilling),
    suspend: createHandler(suspendSite, suspendManagedSite),
    activate: createHandler(activateSite, activateManagedSite),
    getPublicWidget: createHandler(getPublicWidget, readPublicWidget),
    reportWidgetSeen: createHandler(reportWidgetSeen, recordWidgetReport),
  },
  jobs: {
    fold_sites: job(fillSiteSearchTextsJob, { cron: "*/5 * * * *" }),
  },
  sealedColumns: [
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
    {
      table: "site_changes",
      column: "user_id",
      topic: "usage",
      onDeletion: "delete",
      export: { omittedBecause: "counts of changes, which the sites and the activity contain" },
    },
  ],
  exports: archiveReaders,
  audit: ["site.created", "site.changed", "site.activated"],
  // Deletion anonymises an account that ever had a site instead of deleting it.
  evidence: ["site.created"],
  tokens: { dsk: "widget key, public" },
  notices: ["site_suspended", "site_activated"],
});
