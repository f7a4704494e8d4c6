import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";

/** Deliveries by outcome, of one webhook or of all. */
export function DeliveriesChart({ series, isOfOne = false }: { series: Series; isOfOne?: boolean }) {
  const t = useTranslations("charts.webhooks");
  const toFinding = useFinding();
  return (
    <ChartCard
      finding={t("finding", toFinding(series, "failed"))}
      question={t(isOfOne ? "questionOne" : "question")}
      series={series}
      kind="stack"
      name="webhook-deliveries"
      lines={[
        { key: "delivered", label: t("delivered"), tone: "good" },
        { key: "retried", label: t("retried"), tone: "warn" },
        { key: "waiting", label: t("waiting"), tone: "muted" },
        { key: "failed", label: t("failed"), tone: "bad" },
      ]}
    />
  );
}
