import { Globe } from "lucide-react";
import { useTranslations } from "next-intl";
import { AppLink } from "@/components/ui/app-link";
import { StatusChip } from "@/components/ui/status-chip";
import { useFormat } from "@/components/ui/use-format";
import { FigureCard } from "./figure-card";

export function SitesCard({ total, suspendedCount }: { total: number; suspendedCount: number }) {
  const t = useTranslations("dashboard.sites");
  const { number } = useFormat();
  return (
    <FigureCard
      icon={<Globe />}
      title={t("title")}
      figure={number(total)}
      link={total > 0 ? { href: "/sites", label: t("open") } : { href: "/sites/new", label: t("first") }}
    >
      {total === 0 ? (
        t("none")
      ) : (
        <span className="flex flex-wrap gap-2">
          <StatusChip tone="success">{t("active", { count: total - suspendedCount })}</StatusChip>
          {suspendedCount > 0 ? (
            <AppLink href="/sites?is_active=false" className="rounded-full hover:underline">
              <StatusChip tone="danger">{t("suspended", { count: suspendedCount })}</StatusChip>
            </AppLink>
          ) : null}
        </span>
      )}
    </FigureCard>
  );
}
