import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import type { Site } from "./types";

type SuspensionReason = NonNullable<Site["suspended_reason"]>;

interface SiteState {
  is_active: boolean;
  suspended_reason?: SuspensionReason | null;
}

/** A site that its own account suspended is no problem to solve. */
export function SiteStateChip({ site }: { site: SiteState }) {
  const t = useTranslations("sites.state");
  if (site.is_active) return <StatusChip tone="success">{t("active")}</StatusChip>;
  return (
    <StatusChip tone={site.suspended_reason === "owner" ? "neutral" : "danger"}>{t("suspended")}</StatusChip>
  );
}

/** State for lists, with the reason of a suspension. */
export function SiteStateWithReason({ site }: { site: SiteState }) {
  const t = useTranslations("sites.suspendedBy");
  return (
    <span className="inline-flex flex-col items-start gap-0.5 max-sm:items-end sm:py-1.5">
      <SiteStateChip site={site} />
      {site.suspended_reason ? (
        <span className="text-caption text-fg-muted">{t(site.suspended_reason)}</span>
      ) : null}
    </span>
  );
}

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
