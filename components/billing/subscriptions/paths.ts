import type { Route } from "next";
import { getCheckoutPath } from "@/server/domains/billing/subscriptions/policy";
import { getPaymentPath } from "@/server/domains/sites/slots/contract";

/* Routes of the paths that mails use, too. */

export const getCheckoutHref = (planId: number) => getCheckoutPath(planId) as Route;

export const PLANS_HREF = getCheckoutPath(null) as Route;

export const getPaymentHref = (reference: string) => getPaymentPath(reference) as Route;
