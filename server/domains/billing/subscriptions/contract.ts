import * as z from "zod";
import { operation } from "@/server/core/contract";
import { success } from "@/server/core/schema";

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
  summary: "List the plans that can be activated manually",
  description: "Texts are in the caller's language.",
  access: "token",
  status: 200,
  output: z.object({ success, data: z.array(SubscriptionPlan), count: z.int() }),
});
