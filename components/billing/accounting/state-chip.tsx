"use client";

import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import type { Tone } from "@/components/ui/tone";
import type { Invoice } from "./types";

const TONES: Partial<Record<Invoice["state"], Tone>> = {
  done: "success",
  needs_data: "warning",
  failed: "danger",
  skipped: "neutral",
  cancelled: "neutral",
};

export function StateChip({ state }: { state: Invoice["state"] }) {
  const t = useTranslations("billingAdmin.payments.invoiceIs");
  return <StatusChip tone={TONES[state] ?? "info"}>{t(state)}</StatusChip>;
}
