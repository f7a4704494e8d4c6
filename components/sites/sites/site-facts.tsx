import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";

/** Active or suspended. */
export function SiteState({ active }: { active: boolean }) {
  const t = useTranslations("sites.state");
  return <StatusChip tone={active ? "success" : "danger"}>{t(active ? "active" : "suspended")}</StatusChip>;
}

/** What pays for a site. */
export function SiteBilling({ subscriptionId }: { subscriptionId: number | null }) {
  const t = useTranslations("sites.billing");
  return <>{t(subscriptionId === null ? "licence" : "slot")}</>;
}

/** The similarity threshold in words: one word for each fifth or so of the scale. */
export function thresholdWord(value: number): "loose" | "balanced" | "careful" | "strict" {
  if (value < 0.5) return "loose";
  if (value < 0.7) return "balanced";
  return value < 0.85 ? "careful" : "strict";
}
