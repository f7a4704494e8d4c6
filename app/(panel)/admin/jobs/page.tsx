import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { FailedCard } from "@/components/platform/jobs/failed-card";
import { HistoryCard } from "@/components/platform/jobs/history-card";
import { JobCharts } from "@/components/platform/jobs/job-charts";
import { JobTabs } from "@/components/platform/jobs/job-tabs";
import { JobsTable } from "@/components/platform/jobs/jobs-table";
import { jobParsers } from "@/components/platform/jobs/list-view";
import { ScheduleCards } from "@/components/platform/jobs/schedule-cards";
import { JOB_PERIODS } from "@/server/domains/platform/jobs/contract";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("jobs.title");

/** Periods of the charts, as the history of tasks names them. */
const HISTORY_BY_PERIOD = { "24h": "day", "7d": "week", "30d": "month", "90d": "quarter" } as const;

export default createListPage({
  heading: { title: "jobs.title", text: "jobs.text" },
  requiredViewer: "admin",
  parsers: jobParsers,
  messages: ["jobs"],
  renderContent: async ({ api, input, searchParams }) => {
    const { since: _, until: __, ...parameters } = searchParams;
    const view = await readSeriesView(parameters, JOB_PERIODS);
    const [failedWork, jobs, schedule, history, { data: series }] = await Promise.all([
      api.jobs.listFailed(),
      api.jobs.list({ query: input }),
      api.jobs.schedule(),
      api.jobs.history({ query: { period: HISTORY_BY_PERIOD[view.period ?? JOB_PERIODS[0]] } }),
      api.jobs.series({ query: view.query }),
    ]);
    return (
      <div className="flex flex-col gap-6">
        <FailedCard initial={failedWork} />
        <div>
          <JobTabs
            content={{
              queue: <JobsTable firstPage={{ input, data: jobs }} />,
              schedule: <ScheduleCards rows={schedule.data} />,
              history: (
                <>
                  <PageCharts
                    path="/admin/jobs"
                    searchParams={parameters}
                    view={view}
                    periods={JOB_PERIODS}
                    hasDates={false}
                    series={[series]}
                  >
                    <JobCharts series={series} />
                  </PageCharts>
                  <HistoryCard rows={history.data} />
                </>
              ),
            }}
          />
        </div>
      </div>
    );
  },
});
