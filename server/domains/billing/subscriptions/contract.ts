import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, recordId, success } from "@/server/core/schema";

const SubscriptionPlan = z.object({
  id: recordId,
  name: z.string().meta({ example: "Pro" }),
  slug: z.string().meta({ example: "pro" }),
  description: z.string().meta({ example: "For growing teams that answer on several sites." }),
  price: z.int().meta({ example: 9999 }),
  currency: z.string().meta({ example: "TRY" }),
  billing_period: z.string().meta({ example: "yearly" }),
  site_slots: z.int().meta({ example: 5 }),
  monthly_credits: z.int().meta({ example: 10_000 }),
  features: z.array(z.string()).meta({ example: ["5 sites", "AI assistant"] }),
  is_active: z.boolean(),
  sort_order: z.int().meta({ example: 2 }),
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
  output: z.object({ success, data: z.array(SubscriptionPlan), count }),
});
