"use client";

import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import type { Delivery } from "./types";

const STATE_TONES = {
  waiting: "info",
  delivered: "success",
  failed: "danger",
  cancelled: "neutral",
} as const;

export function DeliveryState({ state }: Pick<Delivery, "state">) {
  const t = useTranslations("webhooks.deliveryState");
  return <StatusChip tone={STATE_TONES[state]}>{t(state)}</StatusChip>;
}
