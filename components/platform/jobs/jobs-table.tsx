"use client";

import { ListChecks } from "lucide-react";
import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { buildListTexts, buildStateFilter, ListCard } from "@/components/api/list-card";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { type Column, createActionColumn } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listJobs } from "@/server/domains/platform/jobs/contract";
import { JOB_STATES } from "@/server/domains/platform/jobs/policy";
import { JobName } from "./job-name";
import { jobParsers } from "./list-view";

type Job = Output<typeof listJobs>["data"][number];
type JobPages = PagedListOptions<typeof jobParsers, Job>;

const STATE_TONE = { waiting: "neutral", running: "info", retrying: "warning", given_up: "danger" } as const;

const useJobs: JobPages["useRows"] = (input, options) => api.jobs.list.useQuery({ query: input }, options);

export function JobsTable({ firstPage }: { firstPage: JobPages["firstPage"] }) {
  const t = useTranslations("jobs");
  const list = usePagedList(jobParsers, { firstPage, useRows: useJobs });
  const columns: Column<Job>[] = [
    {
      id: "task",
      header: t("column.task"),
      isCardTitle: true,
      cell: ({ id, task, last_error: error }) => (
        <span className="wrap-anywhere flex flex-col items-start gap-0.5">
          <JobName task={task} />
          <span className="font-normal text-compact text-fg-muted">
            <Ltr>{error ? `${id} · ${error}` : String(id)}</Ltr>
          </span>
        </span>
      ),
    },
    {
      id: "state",
      header: t("column.state"),
      cell: ({ state }) => <StatusChip tone={STATE_TONE[state]}>{t(`state.${state}`)}</StatusChip>,
    },
    {
      id: "attempts",
      hideOnCard: true,
      header: t("column.attempts"),
      cell: ({ attempts, max_attempts: max }) => t("attempts", { count: attempts, max }),
    },
    {
      id: "next",
      header: t("column.next"),
      cell: ({ state, run_at: at }) =>
        state === "waiting" || state === "retrying" ? <Time value={at} show="dateTime" /> : null,
    },
    createActionColumn(t("column.actions"), (job) =>
      job.state === "waiting" || job.state === "running" ? null : <JobActions job={job} />,
    ),
  ];
  return (
    <ListCard
      list={list}
      texts={buildListTexts(t)}
      columns={columns}
      rowKey={({ id }) => String(id)}
      emptyState={
        <EmptyState icon={<ListChecks />} title={t("empty")}>
          {t("emptyText")}
        </EmptyState>
      }
      filters={[buildStateFilter(t, JOB_STATES)]}
    />
  );
}

function JobActions({ job: { id, task, state } }: { job: Job }) {
  const t = useTranslations("jobs");
  const utils = api.useUtils();
  const input = { params: { id: String(id) } };
  const onSuccess = () => utils.jobs.invalidate();
  const retry = useAction(() => call.jobs.retry.mutate(input), { onSuccess });
  const giveUp = useAction(() => call.jobs.giveUp.mutate(input), { onSuccess });
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <Button size="sm" labelSuffix={task} working={retry.isPending} onClick={() => void retry.run()}>
        {t("retry")}
      </Button>
      {state === "retrying" ? (
        <AlertDialog
          trigger={
            <Button size="sm" labelSuffix={task}>
              {t("giveUp")}
            </Button>
          }
          title={t.rich("giveUpTitle", { task: () => <Ltr>{task}</Ltr> })}
          description={t("giveUpText")}
          confirmLabel={t("giveUpConfirm")}
          onConfirm={giveUp.attempt}
        />
      ) : null}
    </span>
  );
}
