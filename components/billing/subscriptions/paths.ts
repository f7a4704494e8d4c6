import type { Route } from "next";

/** Page on which a plan is ordered. */
export const getCheckoutHref = (planId: number) => `/billing/checkout?plan=${planId}` as Route;

export const PLANS_HREF = "/billing#plans" as Route;

/** Page with everything to pay for an order, a renewal or a licence. */
export const getPaymentHref = (reference: string) => `/billing/pay/${reference}` as Route;
