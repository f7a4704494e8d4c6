import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";

export function SignUpsChart({ series }: { series: Series }) {
  const t = useTranslations("charts.signUps");
  const toFinding = useFinding();
  return (
    <ChartCard
      finding={t("finding", toFinding(series, "signed_up"))}
      question={t("question")}
      series={series}
      kind="stack"
      name="sign-ups"
      lines={[
        { key: "signed_up", label: t("signedUp"), tone: "main" },
        { key: "refused", label: t("refused"), tone: "warn" },
      ]}
    />
  );
}
