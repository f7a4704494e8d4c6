import { Globe } from "lucide-react";
import { useTranslations } from "next-intl";
import { AppLink } from "@/components/ui/app-link";
import { StatusChip } from "@/components/ui/status-chip";
import { useFormat } from "@/components/ui/use-format";
import { FigureCard } from "./figure-card";

interface Counts {
  siteCount: number;
  suspendedCount: number;
}

export function SitesCard({ siteCount, suspendedCount }: Counts) {
  const t = useTranslations("dashboard.sites");
  const { number: formatNumber } = useFormat();
  return (
    <FigureCard
      icon={<Globe />}
      title={t("title")}
      figure={formatNumber(siteCount)}
      link={{ href: "/sites", label: t("open") }}
    >
      <SiteCounts siteCount={siteCount} suspendedCount={suspendedCount} />
    </FigureCard>
  );
}

export function SiteCounts({ siteCount, suspendedCount }: Counts) {
  const t = useTranslations("dashboard.sites");
  return (
    <span className="flex flex-wrap gap-2">
      {siteCount > suspendedCount ? (
        <StatusChip tone="success">{t("active", { count: siteCount - suspendedCount })}</StatusChip>
      ) : null}
      {suspendedCount > 0 ? (
        <AppLink href="/sites?is_active=false" className="rounded-full hover:underline">
          <StatusChip tone="neutral">{t("suspended", { count: suspendedCount })}</StatusChip>
        </AppLink>
      ) : null}
    </span>
  );
}
