import { handle } from "@/server/core/contract";
import { listSubscriptionPlans } from "./contract";
import * as subscriptions from "./service";

export const subscriptionOperations = {
  plans: handle(listSubscriptionPlans, subscriptions.plans),
};
