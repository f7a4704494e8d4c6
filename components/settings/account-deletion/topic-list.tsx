import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import type { Tone } from "@/components/ui/tone";
import { useFormat } from "@/components/ui/use-format";
import type { Output } from "@/server/core/contract";
import type { getDeletionForecast } from "@/server/domains/settings/account-deletion/contract";

type Topics = Output<typeof getDeletionForecast>["topics"];

const RULE_TONES: Record<Topics[number]["rule"], Tone> = {
  delete: "danger",
  anonymise: "warning",
  detach: "info",
  keep: "neutral",
};

export interface TopicListProps {
  topics: Topics;
  /** End of the retention of `keep` rows. */
  keptUntil: string | null;
  isDeleted?: boolean;
}

export function TopicList({ topics, keptUntil, isDeleted }: TopicListProps) {
  const t = useTranslations("deletion");
  const format = useFormat();
  return (
    <ul className="divide-y divide-border">
      {topics.map(({ topic, rule, count }) => (
        <li key={`${topic} ${rule}`} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-2.5">
          <div className="min-w-0 flex-1 basis-56">
            <p className="text-sm">{t(`topics.${topic}`)}</p>
            <p className="text-compact text-fg-muted">{t("count", { count })}</p>
          </div>
          <StatusChip tone={RULE_TONES[rule]}>
            {rule !== "keep"
              ? t(`${isDeleted ? "done" : "rules"}.${rule}`)
              : keptUntil
                ? t("rules.keep", { until: format.date(keptUntil) })
                : t("rules.kept")}
          </StatusChip>
        </li>
      ))}
    </ul>
  );
}
