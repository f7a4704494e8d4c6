import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import type { Site } from "./types";

export function SiteStateChip({ isActive }: { isActive: boolean }) {
  const t = useTranslations("sites.state");
  return (
    <StatusChip tone={isActive ? "success" : "danger"}>{t(isActive ? "active" : "suspended")}</StatusChip>
  );
}

type SuspensionReason = NonNullable<Site["suspended_reason"]>;

export function SuspendedText({ reason }: { reason: SuspensionReason }) {
  const t = useTranslations("sites.suspended");
  return <span>{t(reason)}</span>;
}

export function SiteBillingText({ billing }: Pick<Site, "billing">) {
  const t = useTranslations("sites.billing");
  return <span>{t(billing)}</span>;
}

export function getThresholdLevel(value: number): "loose" | "balanced" | "careful" | "strict" {
  if (value < 0.5) return "loose";
  if (value < 0.7) return "balanced";
  return value < 0.85 ? "careful" : "strict";
}
