import { toMinor } from "@/server/core/money";

interface Plan {
  id: number;
  name: string;
  price: number;
  currency: string;
  monthlyCredits: number;
  siteSlots: number;
}

export function copyPlanTerms(plan: Plan) {
  return {
    planId: plan.id,
    planName: plan.name,
    priceMinor: toMinor(plan.price),
    currency: plan.currency,
    monthlyCredits: plan.monthlyCredits,
    siteSlots: plan.siteSlots,
  };
}
