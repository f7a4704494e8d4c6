import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import {
  adjustCredits,
  downloadCredits,
  getCreditSeries,
  getUsageSeries,
  getUserCreditSeries,
  listCredits,
  listUserCredits,
} from "./contract";
import { archiveReaders } from "./export";
import { adjustAccountCredits } from "./service/adjust";
import { downloadOwnCredits, listCreditsOfAccount, listOwnCredits } from "./service/list";
import { readCreditSeriesOfAccount, readOwnCreditSeries, readUsageSeries } from "./service/series";

export const credits = domain({
  operations: {
    list: createHandler(listCredits, listOwnCredits),
    listOf: createHandler(listUserCredits, listCreditsOfAccount),
    series: createHandler(getCreditSeries, readOwnCreditSeries),
    seriesOf: createHandler(getUserCreditSeries, readCreditSeriesOfAccount),
    usageSeries: createHandler(getUsageSeries, readUsageSeries),
    download: createHandler(downloadCredits, downloadOwnCredits),
    adjust: createHandler(adjustCredits, adjustAccountCredits),
  },
  relations: [
    { table: "credit_entries", column: "user_id", topic: "billing", onDeletion: "keep", export: "credits" },
    {
      table: "credit_entries",
      column: "actor_id",
      rowsBelongTo: "others",
      export: { omittedBecause: "entries of other people's credits" },
    },
    { table: "usage_months", column: "user_id", topic: "usage", onDeletion: "delete", export: "usage" },
  ],
  exports: archiveReaders,
  notices: ["credits_adjusted"],
  audit: ["credits.adjusted"],
});
