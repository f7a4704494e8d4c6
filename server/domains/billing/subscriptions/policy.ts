/** The plans that an administrator activates by hand: a plan that can be ordered has one of these names. */
export const PLAN_NAMES: readonly string[] = ["Starter", "Pro", "Premium", "Ultimate"];

/** Orders of an account that may wait for their payment at once. */
export const ORDERS_MAX = 5;
/** After this many days an order that was not paid lapses. */
export const ORDER_DAYS = 30;
