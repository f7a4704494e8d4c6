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
import { JobName } from "./job-name";

/** Jobs that only delete what is no longer needed. */
const CLEANUP_TASK = /^(forget|sweep|expire)_/;

type RecurringJob = Output<typeof listSchedule>["data"][number];

export function ScheduleCards({ rows }: { rows: readonly RecurringJob[] }) {
  const t = useTranslations("jobs.schedule");
  const columns: Column<RecurringJob>[] = [
    { id: "task", header: t("task"), isCardTitle: true, cell: ({ task }) => <JobName task={task} /> },
    { id: "cron", header: t("cron"), hideOnCard: true, cell: ({ cron }) => <Ltr mono>{cron}</Ltr> },
    {
      id: "last",
      header: t("last"),
      cell: ({ last_run_at: at }) => (at ? <Time value={at} show="dateTime" /> : t("never")),
    },
    createActionColumn(t("actions"), ({ task }) => <RunButton task={task} />),
  ];
  const groups = {
    work: rows.filter(({ task }) => !CLEANUP_TASK.test(task)),
    cleanup: rows.filter(({ task }) => CLEANUP_TASK.test(task)),
  };
  return (
    <div className="flex flex-col gap-6">
      {(["work", "cleanup"] as const).map((group) => (
        <Card key={group} title={t(group)} description={group === "work" ? t("text") : undefined} flush>
          <DataTable caption={t(group)} columns={columns} rows={groups[group]} rowKey={({ task }) => task} />
        </Card>
      ))}
    </div>
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
