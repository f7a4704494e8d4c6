"use client";

import { useTranslations } from "next-intl";
import type { Licence, Subscription } from "@/components/billing/records/types";
import { StatusChip } from "@/components/ui/status-chip";
import { useNow } from "@/components/ui/use-now";

const SUBSCRIPTION_TONES = {
  pending: "warning",
  active: "success",
  past_due: "danger",
  expired: "neutral",
  cancelled: "neutral",
} as const;

export function SubscriptionState({
  status,
  isTrial = false,
}: Pick<Subscription, "status"> & { isTrial?: boolean }) {
  const t = useTranslations("billingState.subscription");
  const isRunningTrial = isTrial && status === "active";
  return (
    <StatusChip tone={isRunningTrial ? "info" : SUBSCRIPTION_TONES[status]}>
      {t(isRunningTrial ? "trial" : status)}
    </StatusChip>
  );
}

const LICENCE_TONES = {
  pending: "warning",
  late: "danger",
  active: "success",
  absorbed: "info",
  expired: "neutral",
  cancelled: "neutral",
} as const;

export function LicenceState({ licence }: { licence: Pick<Licence, "status" | "pay_by"> }) {
  const t = useTranslations("billingState.licence");
  const now = useNow(60_000) ?? Date.now();
  const state = licence.status === "pending" && Date.parse(licence.pay_by) < now ? "late" : licence.status;
  return <StatusChip tone={LICENCE_TONES[state]}>{t(state)}</StatusChip>;
}
