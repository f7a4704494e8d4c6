"use client";

import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { type Column, createActionColumn, DataTable } from "@/components/ui/data-table";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listSchedule } from "@/server/domains/platform/jobs/contract";

type RecurringJob = Output<typeof listSchedule>["data"][number];

export function ScheduleCard({ rows }: { rows: readonly RecurringJob[] }) {
  const t = useTranslations("jobs.schedule");
  const columns: Column<RecurringJob>[] = [
    { id: "task", header: t("task"), isCardTitle: true, cell: ({ task }) => <Ltr mono>{task}</Ltr> },
    { id: "cron", header: t("cron"), cell: ({ cron }) => <Ltr mono>{cron}</Ltr> },
    {
      id: "last",
      header: t("last"),
      cell: ({ last_run_at: at }) => (at ? <Time value={at} show="dateTime" /> : t("never")),
    },
    createActionColumn(t("actions"), ({ task }) => <RunButton task={task} />),
  ];
  return (
    <Card title={t("title")} description={t("text")} flush>
      <DataTable caption={t("title")} columns={columns} rows={rows} rowKey={({ task }) => task} />
    </Card>
  );
}

function RunButton({ task }: { task: string }) {
  const t = useTranslations("jobs.schedule");
  const utils = api.useUtils();
  const run = useAction(() => call.jobs.run.mutate({ body: { task } }), {
    onSuccess: () => utils.jobs.invalidate(),
  });
  return (
    <Button size="sm" labelSuffix={task} working={run.isPending} onClick={() => void run.run()}>
      {t("run")}
    </Button>
  );
}
