import { useTranslations } from "next-intl";
import { ChartCard } from "@/components/charts/chart-card";
import type { ChartLine, Series } from "@/components/charts/types";

const getTotal = (series: Series, key: string) => series.lines.find((line) => line.key === key)?.total ?? 0;

/**
 * Messages and AI answers by month, and voice minutes in a chart of their own, which have another unit. Figures that
 * are all zero are left out. The current month is not over, so the headings compare nothing.
 */
export function UsageCharts({ series }: { series: Series }) {
  const t = useTranslations("charts");
  const [messages, aiCalls, minutes] = ["messages_sent", "ai_calls", "voice_minutes"].map((key) =>
    getTotal(series, key),
  ) as [number, number, number];
  const lines: ChartLine[] = [];
  if (messages > 0) lines.push({ key: "messages_sent", label: t("usage.messagesLine"), tone: "main" });
  if (aiCalls > 0) lines.push({ key: "ai_calls", label: t("usage.aiLine"), tone: "second" });
  return (
    <>
      {lines.length > 0 ? (
        <ChartCard
          finding={
            messages > 0 ? t("usage.messages", { count: messages }) : t("usage.ai", { count: aiCalls })
          }
          question={t("usage.question")}
          series={series}
          kind="bars"
          name="usage"
          lines={lines}
        />
      ) : null}
      {minutes > 0 ? (
        <ChartCard
          finding={t("voice.finding", { count: minutes })}
          question={t("voice.question")}
          series={series}
          kind="bars"
          name="voice-minutes"
          lines={[{ key: "voice_minutes", label: t("voice.minutes"), tone: "main" }]}
        />
      ) : null}
    </>
  );
}
