import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { listSubscriptionPlans } from "./contract";
import { exports } from "./export";
import * as service from "./service";

export const subscriptions = domain({
  operations: {
    list: handle(listSubscriptionPlans, service.plans),
  },
  relations: [
    {
      table: "subscriptions",
      column: "user_id",
      topic: "billing",
      onDeletion: "keep",
      export: "subscriptions",
    },
  ],
  exports,
  audit: ["subscription.activated"],
});
