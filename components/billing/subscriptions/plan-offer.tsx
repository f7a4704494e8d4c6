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
  const plansQuery = api.subscriptions.list.useQuery(undefined, { initialData: initial });
  if (plansQuery.isPending) return <SkeletonRows rowCount={4} />;
  return (
    <>
      <PlanCards plans={plansQuery.data?.data ?? []} />
      <PlanContact email={email} hasReseller={hasReseller} />
    </>
  );
}
