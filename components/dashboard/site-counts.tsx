import { useTranslations } from "next-intl";
import { AppLink } from "@/components/ui/app-link";
import { StatusChip } from "@/components/ui/status-chip";

export interface SiteCountsProps {
  activeCount: number;
  suspendedCount: number;
}

export function SiteCounts({ activeCount, suspendedCount }: SiteCountsProps) {
  const t = useTranslations("dashboard.sites");
  return (
    <span className="flex flex-wrap gap-2">
      {activeCount > 0 ? <StatusChip tone="success">{t("active", { count: activeCount })}</StatusChip> : null}
      {suspendedCount > 0 ? (
        <AppLink href="/sites?is_active=false" className="rounded-full hover:underline">
          <StatusChip tone="neutral">{t("suspended", { count: suspendedCount })}</StatusChip>
        </AppLink>
      ) : null}
    </span>
  );
}
