"use client";

import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { type Column, DataTable } from "@/components/ui/data-table";
import { StatusChip } from "@/components/ui/status-chip";
import { useFormat } from "@/components/ui/use-format";
import type { Output } from "@/server/core/contract";
import type { getJobHistory } from "@/server/domains/platform/jobs/contract";
import { JobName } from "./job-name";

type TaskHistory = Output<typeof getJobHistory>["data"][number];

/** Runs by task, in the period of the charts above. */
export function HistoryCard({ rows }: { rows: TaskHistory[] }) {
  const t = useTranslations("jobs.history");
  const { number: formatNumber } = useFormat();
  const formatRunTime = (ms: number) =>
    formatNumber(ms < 1000 ? ms : ms / 1000, {
      style: "unit",
      unit: ms < 1000 ? "millisecond" : "second",
      unitDisplay: "short",
      maximumFractionDigits: 1,
    });
  const columns: Column<TaskHistory>[] = [
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
    <Card title={t("title")} description={t("text")} flush>
      <DataTable
        caption={t("title")}
        columns={columns}
        rows={rows}
        rowKey={({ task }) => task}
        emptyState={<p className="px-5 pb-5 text-fg-muted text-sm">{t("none")}</p>}
      />
    </Card>
  );
}
