"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useQueryStates } from "nuqs";
import { api } from "@/components/api/client";
import { Card } from "@/components/ui/card";
import { type Column, DataTable } from "@/components/ui/data-table";
import { NativeSelect } from "@/components/ui/native-select";
import { StatusChip } from "@/components/ui/status-chip";
import { useFormat } from "@/components/ui/use-format";
import type { Output } from "@/server/core/contract";
import type { getJobHistory } from "@/server/domains/platform/jobs/contract";
import { HISTORY_PERIODS } from "@/server/domains/platform/jobs/policy";
import { JobName } from "./job-name";
import { historyParsers } from "./list-view";

type History = Output<typeof getJobHistory>;
type Period = (typeof HISTORY_PERIODS)[number];

export function HistoryCard({ initial }: { initial: { period: Period; data: History } }) {
  const t = useTranslations("jobs.history");
  const { number: formatNumber } = useFormat();
  const [{ period }, setHistoryState] = useQueryStates(historyParsers, { history: "replace" });
  const { data, isPlaceholderData } = api.jobs.history.useQuery(
    { query: { period } },
    {
      initialData: (period === initial.period ? initial.data : undefined) as never,
      placeholderData: keepPreviousData,
    },
  );
  const formatRunTime = (ms: number) =>
    formatNumber(ms < 1000 ? ms : ms / 1000, {
      style: "unit",
      unit: ms < 1000 ? "millisecond" : "second",
      unitDisplay: "short",
      maximumFractionDigits: 1,
    });
  const columns: Column<History["data"][number]>[] = [
    { id: "task", header: t("task"), isCardTitle: true, cell: ({ task }) => <JobName task={task} /> },
    { id: "runs", header: t("runs"), align: "end", cell: ({ runs }) => formatNumber(runs) },
    {
      id: "failures",
      header: t("failures"),
      align: "end",
      cell: ({ failures }) =>
        failures > 0 ? <StatusChip tone="danger">{formatNumber(failures)}</StatusChip> : formatNumber(0),
    },
    {
      id: "average",
      hideOnCard: true,
      header: t("average"),
      align: "end",
      cell: ({ average_ms: ms }) => formatRunTime(ms),
    },
    {
      id: "longest",
      hideOnCard: true,
      header: t("longest"),
      align: "end",
      cell: ({ longest_ms: ms }) => formatRunTime(ms),
    },
  ];
  return (
    <Card
      title={t("title")}
      description={t("text")}
      actions={
        <NativeSelect
          aria-label={t("period")}
          size="sm"
          value={period}
          onValueChange={(value) => void setHistoryState({ period: value as Period })}
          options={HISTORY_PERIODS.map((value) => ({ value, label: t(value) }))}
        />
      }
      flush
    >
      <DataTable
        caption={t("title")}
        columns={columns}
        rows={(data as History | undefined)?.data ?? []}
        rowKey={({ task }) => task}
        loading={!data}
        stale={isPlaceholderData}
        emptyState={<p className="px-5 pb-5 text-fg-muted text-sm">{t("none")}</p>}
      />
    </Card>
  );
}
