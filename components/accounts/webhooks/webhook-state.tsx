"use client";

import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import type { Webhook } from "./types";

export function WebhookState({
  webhook: { is_active, disabled_reason, failing_since },
}: {
  webhook: Webhook;
}) {
  const t = useTranslations("webhooks.state");
  if (!is_active) {
    const isPausedByOwner = disabled_reason === "person" || disabled_reason === null;
    return (
      <StatusChip tone={isPausedByOwner ? "neutral" : "danger"}>
        {t(isPausedByOwner ? "person" : disabled_reason === "gone" ? "gone" : "failingOff")}
      </StatusChip>
    );
  }
  return failing_since ? (
    <StatusChip tone="warning">{t("failing")}</StatusChip>
  ) : (
    <StatusChip tone="success">{t("active")}</StatusChip>
  );
}
