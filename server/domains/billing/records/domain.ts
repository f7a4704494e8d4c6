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
import { licencesCsv, paymentsCsv, subscriptionsCsv } from "./service/download";
import { licences, payments, subscriptions } from "./service/list";

export const records = domain({
  operations: {
    listSubscriptions: handle(listSubscriptions, subscriptions),
    downloadSubscriptions: handle(downloadSubscriptions, subscriptionsCsv),
    listPayments: handle(listPayments, payments),
    downloadPayments: handle(downloadPayments, paymentsCsv),
    listLicences: handle(listLicences, licences),
    downloadLicences: handle(downloadLicences, licencesCsv),
  },
});
