import type { Output } from "@/server/core/contract";
import type {
  getBilling,
  getCheckout,
  getDue,
  listPlans,
  listSubscriptionPlans,
} from "@/server/domains/billing/subscriptions/contract";
import type { getTrial } from "@/server/domains/billing/trials/contract";

export type Billing = Output<typeof getBilling>;
export type BilledSubscription = Billing["subscriptions"][number];
export type BilledLicence = Billing["licences"][number];
export type OpenOrder = Billing["orders"][number];
export type Bank = NonNullable<Billing["bank"]>;
export type Plan = Output<typeof listSubscriptionPlans>["data"][number];
export type Checkout = Output<typeof getCheckout>["checkout"];
export type Trial = Output<typeof getTrial>["trial"];
export type Due = Output<typeof getDue>;
export type DueItem = Due["due"][number];
export type AdminPlan = Output<typeof listPlans>["plans"][number];
export type Contact = NonNullable<DueItem["contact"]>;
