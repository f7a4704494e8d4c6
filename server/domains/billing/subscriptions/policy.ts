import type { Messages } from "use-intl";

/** Names that a plan must have to be ordered. */
export const PLAN_NAMES: readonly string[] = ["Starter", "Pro", "Premium", "Ultimate"];

/** Features with translations (`plans.features.*`); a plan's texts can name others. */
export const PLAN_FEATURES = [
  "sites_1",
  "sites_5",
  "sites_15",
  "sites_50",
  "channels",
  "ai_assistant",
  "own_ai_key",
  "team",
  "priority_support",
  "white_label",
] as const satisfies readonly (keyof Messages["plans"]["features"])[];

/** Page on which a plan is ordered; the list of plans if none is chosen. */
export const getCheckoutPath = (planId: number | null) =>
  planId === null ? "/billing#plans" : `/billing/checkout?plan=${planId}`;

export const OPEN_ORDERS_MAX = 5;
export const ORDER_LIFETIME_DAYS = 30;
