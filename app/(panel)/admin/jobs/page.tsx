import { FailedCard } from "@/components/platform/jobs/failed-card";
import { HistoryCard } from "@/components/platform/jobs/history-card";
import { JobTabs } from "@/components/platform/jobs/job-tabs";
import { JobsTable } from "@/components/platform/jobs/jobs-table";
import { historyParsers, jobParsers } from "@/components/platform/jobs/list-view";
import { ScheduleCards } from "@/components/platform/jobs/schedule-cards";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("jobs.title");

export default createListPage({
  heading: { title: "jobs.title", text: "jobs.text" },
  requiredViewer: "admin",
  parsers: { ...jobParsers, ...historyParsers },
  messages: ["jobs"],
  renderContent: async ({ api, input: { period, ...input } }) => {
    const [failedWork, jobs, schedule, history] = await Promise.all([
      api.jobs.listFailed(),
      api.jobs.list({ query: input }),
      api.jobs.schedule(),
      api.jobs.history({ query: { period } }),
    ]);
    return (
      <div className="flex flex-col gap-6">
        <FailedCard initial={failedWork} />
        <div>
          <JobTabs
            content={{
              queue: <JobsTable firstPage={{ input, data: jobs }} />,
              schedule: <ScheduleCards rows={schedule.data} />,
              history: <HistoryCard initial={{ period, data: history }} />,
            }}
          />
        </div>
      </div>
    );
  },
});
