"use client";

import { api } from "@/components/api/client";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Output } from "@/server/core/contract";
import type { listSubscriptionPlans } from "@/server/domains/billing/subscriptions/contract";
import { BillingOwnerNotice } from "./owner-notice";
import { PlanCards, PlanContact } from "./plan-cards";
import type { Contact } from "./types";

export interface PlanOfferProps {
  initial: Output<typeof listSubscriptionPlans> | undefined;
  email: string;
  hasReseller: boolean;
  owner: Contact | null;
}

export function PlanOffer({ owner, ...props }: PlanOfferProps) {
  return owner ? <BillingOwnerNotice owner={owner} /> : <OfferedPlans {...props} />;
}

function OfferedPlans({ initial, email, hasReseller }: Omit<PlanOfferProps, "owner">) {
  const plansQuery = api.subscriptions.list.useQuery(undefined, { initialData: initial });
  if (plansQuery.isPending) return <SkeletonRows rowCount={4} />;
  return (
    <>
      <PlanCards plans={plansQuery.data?.data ?? []} />
      <PlanContact email={email} hasReseller={hasReseller} />
    </>
  );
}
