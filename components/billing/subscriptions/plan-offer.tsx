"use client";

import { api } from "@/components/api/client";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Output } from "@/server/core/contract";
import type { listSubscriptionPlans } from "@/server/domains/billing/subscriptions/contract";
import { OwnPlanNotice } from "./own-plan-notice";
import { PlanCards, PlanContact } from "./plan-cards";
import type { Contact } from "./types";

export interface PlanOfferProps {
  initial: Output<typeof listSubscriptionPlans> | undefined;
  email: string;
  hasReseller: boolean;
  /** The account above, if a sub-user looks at this. */
  owner: Contact | null;
}

export function PlanOffer({ initial, email, hasReseller, owner }: PlanOfferProps) {
  const plansQuery = api.subscriptions.list.useQuery(undefined, { initialData: initial });
  if (plansQuery.isPending) return <SkeletonRows rowCount={4} />;
  return (
    <>
      {owner ? <OwnPlanNotice owner={owner} /> : null}
      <PlanCards plans={plansQuery.data?.data ?? []} />
      <PlanContact email={email} hasReseller={hasReseller} />
    </>
  );
}
