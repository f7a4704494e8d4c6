"use client";

import type { ReactNode } from "react";
import { api } from "@/components/api/client";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Output } from "@/server/core/contract";
import type { listSubscriptionPlans } from "@/server/domains/billing/subscriptions/contract";
import { OwnPlanNotice } from "./own-plan-notice";
import { PlanCards, PlanContact } from "./plan-cards";
import { TrialOffer } from "./trial-offer";
import { isTrialOffered } from "./trial-state";
import type { Contact, Trial } from "./types";

export interface PlanOfferProps {
  initial: Output<typeof listSubscriptionPlans> | undefined;
  email: string;
  hasReseller: boolean;
  /** Left out where a trial cannot help. */
  trial?: Trial | undefined;
  verifyForm?: ReactNode;
  /** The account above, if a sub-user looks at this. */
  owner: Contact | null;
}

export function PlanOffer({ initial, email, hasReseller, trial, verifyForm, owner }: PlanOfferProps) {
  const plansQuery = api.subscriptions.list.useQuery(undefined, { initialData: initial });
  if (plansQuery.isPending) return <SkeletonRows rowCount={4} />;
  return (
    <>
      {trial ? <TrialOffer trial={trial} verifyForm={verifyForm} /> : null}
      {owner ? <OwnPlanNotice owner={owner} /> : null}
      <PlanCards plans={plansQuery.data?.data ?? []} isMainOffer={!isTrialOffered(trial)} />
      <PlanContact email={email} hasReseller={hasReseller} />
    </>
  );
}
