import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";

export function MailsChart({ series }: { series: Series }) {
  const t = useTranslations("charts.mails");
  const toFinding = useFinding();
  return (
    <ChartCard
      finding={t("finding", toFinding(series, "failed"))}
      question={t("question")}
      series={series}
      kind="stack"
      name="mails"
      lines={[
        { key: "sent", label: t("sent"), tone: "good" },
        { key: "queued", label: t("queued"), tone: "muted" },
        { key: "failed", label: t("failed"), tone: "bad" },
      ]}
    />
  );
}
