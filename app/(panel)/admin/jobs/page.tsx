import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { FailedCard } from "@/components/platform/jobs/failed-card";
import { JobsTable } from "@/components/platform/jobs/jobs-table";
import { jobParsers } from "@/components/platform/jobs/list-view";
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

/** For administrators: what has failed, what waits, and what runs by the clock. */
export default async function JobsPage({ searchParams }: PageProps<"/admin/jobs">) {
  const [t, { viewer }, { api }, view] = await Promise.all([
    getTranslations("jobs"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer !== "admin") notFound();
  const input = listInput(view);
  const [failed, queue, schedule] = await Promise.all([
    api.jobs.listFailed(),
    api.jobs.list({ query: input }),
    api.jobs.schedule(),
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["jobs"]}>
        <div className="flex flex-col gap-6">
          <FailedCard initial={failed} />
          <JobsTable first={{ input, data: queue }} />
          <ScheduleCard rows={schedule.data} />
        </div>
      </ClientMessages>
    </>
  );
}
