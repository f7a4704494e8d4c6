import { Coins } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { useFormat } from "@/components/ui/use-format";
import { FigureCard } from "./figure-card";

export function CreditsCard({ credits, usedCredits }: { credits: number; usedCredits: number }) {
  const t = useTranslations("dashboard.credits");
  const { number: formatNumber } = useFormat();
  return (
    <FigureCard
      icon={<Coins />}
      title={t("title")}
      figure={formatNumber(credits)}
      link={{ href: "/billing?tab=credits" as Route, label: t("open") }}
    >
      {usedCredits > 0 ? t("used", { count: usedCredits }) : t("unused")}
    </FigureCard>
  );
}
