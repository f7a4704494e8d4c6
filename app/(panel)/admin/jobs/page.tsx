import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { FailedCard } from "@/components/platform/jobs/failed-card";
import { HistoryCard } from "@/components/platform/jobs/history-card";
import { JobsTable } from "@/components/platform/jobs/jobs-table";
import { historyParsers, jobParsers } from "@/components/platform/jobs/list-view";
import { ScheduleCard } from "@/components/platform/jobs/schedule-card";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("jobs");
  return { title: t("title") };
}

const viewOf = createLoader(jobParsers);
const lookOf = createLoader(historyParsers);

/** For administrators: what has failed, what waits, and what runs by the clock. */
export default async function JobsPage({ searchParams }: PageProps<"/admin/jobs">) {
  const [t, { viewer }, { api }, view, { period }] = await Promise.all([
    getTranslations("jobs"),
    signedIn(),
    panel(),
    viewOf(searchParams),
    lookOf(searchParams),
  ]);
  if (viewer !== "admin") notFound();
  const input = listInput(view);
  const [failed, queue, schedule, history] = await Promise.all([
    api.jobs.listFailed(),
    api.jobs.list({ query: input }),
    api.jobs.schedule(),
    api.jobs.history({ query: { period } }),
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["jobs"]}>
        <div className="flex flex-col gap-6">
          <FailedCard initial={failed} />
          <JobsTable first={{ input, data: queue }} />
          <HistoryCard first={{ period, data: history }} />
          <ScheduleCard rows={schedule.data} />
        </div>
      </ClientMessages>
    </>
  );
}
