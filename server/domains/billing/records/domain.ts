import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import {
  downloadLicences,
  downloadPayments,
  downloadSubscriptions,
  getPaymentSeries,
  listLicences,
  listPayments,
  listSubscriptions,
} from "./contract";
import { downloadLicencesCsv, downloadPaymentsCsv, downloadSubscriptionsCsv } from "./service/download";
import { listLicencePage, listPaymentPage, listSubscriptionPage } from "./service/list";
import { sumPaymentsOverTime } from "./service/series";

export const records = domain({
  operations: {
    listSubscriptions: createHandler(listSubscriptions, listSubscriptionPage),
    downloadSubscriptions: createHandler(downloadSubscriptions, downloadSubscriptionsCsv),
    listPayments: createHandler(listPayments, listPaymentPage),
    downloadPayments: createHandler(downloadPayments, downloadPaymentsCsv),
    paymentSeries: createHandler(getPaymentSeries, sumPaymentsOverTime),
    listLicences: createHandler(listLicences, listLicencePage),
    downloadLicences: createHandler(downloadLicences, downloadLicencesCsv),
  },
});
