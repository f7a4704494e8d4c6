import type { Messages } from "use-intl";

/** The plans that an administrator activates by hand: a plan that can be ordered has one of these names. */
export const PLAN_NAMES: readonly string[] = ["Starter", "Pro", "Premium", "Ultimate"];

/** What a plan may offer, by its key in the dictionary; anything else is written as a text of the plan. */
export const FEATURES = [
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

/** Orders of an account that may wait for their payment at once. */
export const ORDERS_MAX = 5;
/** After this many days an order that was not paid lapses. */
export const ORDER_DAYS = 30;
