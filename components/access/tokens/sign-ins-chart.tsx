import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";

/** Sign-ins and attempts by result, of one's own account or of the team. */
export function SignInsChart({ series, isTeam = false }: { series: Series; isTeam?: boolean }) {
  const t = useTranslations("charts.signIns");
  const toFinding = useFinding();
  return (
    <ChartCard
      finding={t("finding", toFinding(series, "failed"))}
      question={t(isTeam ? "questionTeam" : "question")}
      series={series}
      kind="stack"
      name={isTeam ? "team-sign-ins" : "sign-ins"}
      lines={[
        { key: "succeeded", label: t("succeeded"), tone: "good" },
        { key: "refused", label: t("refused"), tone: "warn" },
        { key: "failed", label: t("failed"), tone: "bad" },
      ]}
    />
  );
}
