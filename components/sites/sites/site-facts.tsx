import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import type { Site } from "./types";

export function SiteState({ active }: { active: boolean }) {
  const t = useTranslations("sites.state");
  return <StatusChip tone={active ? "success" : "danger"}>{t(active ? "active" : "suspended")}</StatusChip>;
}

type Reason = NonNullable<Site["suspended_reason"]>;

export function SuspendedText({ reason }: { reason: Reason }) {
  const t = useTranslations("sites.suspended");
  return <span>{t(reason)}</span>;
}

export function SiteBilling({ subscriptionId }: { subscriptionId: number | null }) {
  const t = useTranslations("sites.billing");
  return <span>{t(subscriptionId === null ? "licence" : "slot")}</span>;
}

export function getThresholdLevel(value: number): "loose" | "balanced" | "careful" | "strict" {
  if (value < 0.5) return "loose";
  if (value < 0.7) return "balanced";
  return value < 0.85 ? "careful" : "strict";
}
