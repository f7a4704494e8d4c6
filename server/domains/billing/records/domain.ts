import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import {
  downloadLicences,
  downloadPayments,
  downloadSubscriptions,
  listLicences,
  listPayments,
  listSubscriptions,
} from "./contract";
import { downloadLicencesCsv, downloadPaymentsCsv, downloadSubscriptionsCsv } from "./service/download";
import { listLicencePage, listPaymentPage, listSubscriptionPage } from "./service/list";

export const records = domain({
  operations: {
    listSubscriptions: handle(listSubscriptions, listSubscriptionPage),
    downloadSubscriptions: handle(downloadSubscriptions, downloadSubscriptionsCsv),
    listPayments: handle(listPayments, listPaymentPage),
    downloadPayments: handle(downloadPayments, downloadPaymentsCsv),
    listLicences: handle(listLicences, listLicencePage),
    downloadLicences: handle(downloadLicences, downloadLicencesCsv),
  },
});
