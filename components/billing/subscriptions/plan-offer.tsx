"use client";

import { api } from "@/components/api/client";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Output } from "@/server/core/contract";
import type { listSubscriptionPlans } from "@/server/domains/billing/subscriptions/contract";
import { PlanCards, PlanContact } from "./plan-cards";

export interface PlanOfferProps {
  initial: Output<typeof listSubscriptionPlans> | undefined;
  email: string;
  hasReseller: boolean;
}

export function PlanOffer({ initial, email, hasReseller }: PlanOfferProps) {
  const plans = api.subscriptions.list.useQuery(undefined, { initialData: initial });
  if (plans.isPending) return <SkeletonRows rows={4} />;
  return (
    <>
      <PlanCards plans={plans.data?.data ?? []} />
      <PlanContact email={email} hasReseller={hasReseller} />
    </>
  );
}
