import { Coins } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { useFormat } from "@/components/ui/use-format";
import { FigureCard } from "./figure-card";

export function CreditsCard({ credits, used }: { credits: number; used: number }) {
  const t = useTranslations("dashboard.credits");
  const { number } = useFormat();
  return (
    <FigureCard
      icon={<Coins />}
      title={t("title")}
      figure={number(credits)}
      link={{ href: "/billing?tab=credits" as Route, label: t("open") }}
    >
      {used > 0 ? t("used", { count: used }) : t("unused")}
    </FigureCard>
  );
}
