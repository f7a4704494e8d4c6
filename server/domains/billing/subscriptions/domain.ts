import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  cancelOrder,
  createOrder,
  getBilling,
  getCheckout,
  getDue,
  getLicencesDueSeries,
  listBilledLicences,
  listPlans,
  listSubscriptionPlans,
  putPlan,
} from "./contract";
import { archiveReaders } from "./export";
import { advanceSubscriptionsJob, checkLedgerJob, remindBillingJob } from "./jobs";
import { previewOrder } from "./service/checkout";
import { listDuePayments } from "./service/due";
import { listBilledLicencePage, sumLicencesDue } from "./service/licences";
import { changePlan, listAllPlans } from "./service/manage-plans";
import { placeOrder, withdrawOrder } from "./service/orders";
import { getBillingOverview } from "./service/overview";
import { listOfferedPlans } from "./service/plans";

export const subscriptions = domain({
  operations: {
    list: createHandler(listSubscriptionPlans, listOfferedPlans),
    overview: createHandler(getBilling, getBillingOverview),
    due: createHandler(getDue, listDuePayments),
    licences: createHandler(listBilledLicences, listBilledLicencePage),
    licencesDue: createHandler(getLicencesDueSeries, sumLicencesDue),
    checkout: createHandler(getCheckout, previewOrder),
    order: createHandler(createOrder, placeOrder),
    withdraw: createHandler(cancelOrder, withdrawOrder),
    listPlans: createHandler(listPlans, listAllPlans),
    changePlan: createHandler(putPlan, changePlan),
  },
  jobs: {
    advance_subscriptions: job(advanceSubscriptionsJob, { cron: "*/15 * * * *", catchUp: "1h" }),
    // 09:00 in Turkey.
    remind_billing: job(remindBillingJob, { cron: "0 6 * * *", catchUp: "1d" }),
    check_ledger: job(checkLedgerJob, { cron: "10 3 * * *", catchUp: "1d" }),
  },
  relations: [
    {
      table: "subscriptions",
      column: "user_id",
      topic: "billing",
      onDeletion: "keep",
      export: "subscriptions",
    },
    {
      table: "subscriptions",
      column: "activated_by_id",
      rowsBelongTo: "others",
      export: { omittedBecause: "IDs of administrators in other accounts' subscriptions" },
    },
  ],
  exports: archiveReaders,
  notices: [
    "order_placed",
    "order_lapsed",
    "subscription_ends",
    "subscription_past_due",
    "subscription_expired",
    "trial_ends",
    "trial_past_due",
    "trial_expired",
  ],
  audit: [
    "subscription.activated",
    "subscription.past_due",
    "subscription.expired",
    "order.placed",
    "order.withdrawn",
    "order.lapsed",
    "plan.changed",
    "ledger.checked",
  ],
});
