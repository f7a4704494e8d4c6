import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { Series } from "@/components/charts/types";
import { useFinding } from "@/components/charts/use-finding";

/** Checks by result, of one connection or of all. */
export function ChecksChart({ series, isOfOne = false }: { series: Series; isOfOne?: boolean }) {
  const t = useTranslations("charts.connectionChecks");
  const toFinding = useFinding();
  return (
    <ChartCard
      finding={t("finding", toFinding(addFailures(series), "failed"))}
      question={t(isOfOne ? "questionOne" : "question")}
      series={series}
      kind="stack"
      name="connection-checks"
      lines={[
        { key: "ok", label: t("ok"), tone: "good" },
        { key: "unreachable", label: t("unreachable"), tone: "warn" },
        { key: "dead", label: t("dead"), tone: "bad" },
      ]}
    />
  );
}

/** Adds a line with the totals of all checks that failed, for the finding. */
function addFailures(series: Series): Series {
  const lines = series.lines.filter(({ key }) => key !== "ok");
  const failed = {
    ...lines[0]!,
    key: "failed",
    total: addUp(lines.map(({ total }) => total)),
    previous_total: addUp(lines.map(({ previous_total }) => previous_total)),
  };
  return { ...series, lines: [...series.lines, failed] };
}

const addUp = (values: (number | null)[]) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
