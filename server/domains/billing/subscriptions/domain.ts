import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  cancelOrder,
  createOrder,
  getBilling,
  getDue,
  listBilledLicences,
  listPlans,
  listSubscriptionPlans,
  putPlan,
} from "./contract";
import { exports } from "./export";
import { advanceSubscriptionsJob, checkLedgerJob, remindBillingJob } from "./jobs";
import { due } from "./service/due";
import { licences } from "./service/licences";
import { change, list } from "./service/manage";
import { order, withdraw } from "./service/orders";
import { overview } from "./service/overview";
import { plans } from "./service/plans";

export const subscriptions = domain({
  operations: {
    list: handle(listSubscriptionPlans, plans),
    overview: handle(getBilling, overview),
    due: handle(getDue, due),
    licences: handle(listBilledLicences, licences),
    order: handle(createOrder, order),
    withdraw: handle(cancelOrder, withdraw),
    listPlans: handle(listPlans, list),
    changePlan: handle(putPlan, change),
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
      of: "others",
      export: { omittedBecause: "IDs of administrators in other accounts' subscriptions" },
    },
  ],
  exports,
  notices: [
    "order_placed",
    "order_lapsed",
    "subscription_ends",
    "subscription_past_due",
    "subscription_expired",
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
