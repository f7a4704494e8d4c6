import * as z from "zod";
import { operation } from "@/server/core/contract";
import { success } from "@/server/core/schema";

/** One site beyond the slots: a licence of this many TRY a year (contract, section 8). */
export const SITE_LICENCE_PRICE_TRY = 3999;
/** A licence must be paid within so many days, then its site is suspended. */
export const LICENCE_PAYMENT_DAYS = 14;

export const SubscriptionPlan = z.object({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  price: z.int(),
  currency: z.string(),
  billing_period: z.string(),
  site_slots: z.int(),
  monthly_credits: z.int(),
  features: z.array(z.string()),
  is_active: z.boolean(),
  sort_order: z.int(),
});

export const listSubscriptionPlans = operation({
  id: "listSubscriptionPlans",
  method: "GET",
  path: "/api/subscription-plans",
  tag: "Subscriptions",
  summary: "Plans that can be activated manually",
  description: "Contract 4.1. Texts are in the caller's language.",
  access: "token",
  status: 200,
  answer: z.object({ success, data: z.array(SubscriptionPlan), count: z.int() }),
});
