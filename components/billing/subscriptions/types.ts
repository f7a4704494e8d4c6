import type { Output } from "@/server/core/contract";
import type {
  getBilling,
  getDue,
  listPlans,
  listSubscriptionPlans,
} from "@/server/domains/billing/subscriptions/contract";

export type Billing = Output<typeof getBilling>;
export type BilledSubscription = Billing["subscriptions"][number];
export type BilledLicence = Billing["licences"][number];
export type OpenOrder = Billing["orders"][number];
export type Bank = NonNullable<Billing["bank"]>;
export type Plan = Output<typeof listSubscriptionPlans>["data"][number];
export type Due = Output<typeof getDue>;
export type DueItem = Due["due"][number];
export type AdminPlan = Output<typeof listPlans>["plans"][number];
export type Contact = NonNullable<DueItem["contact"]>;
