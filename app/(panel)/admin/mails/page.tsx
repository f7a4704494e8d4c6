import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { mailParsers } from "@/components/platform/mail/list-view";
import { MailsChart } from "@/components/platform/mail/mails-chart";
import { MailsTable } from "@/components/platform/mail/mails-table";
import { MAIL_PERIODS } from "@/server/domains/platform/mail/contract";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("mailLog.title");

export default createListPage({
  heading: { title: "mailLog.title", text: "mailLog.text" },
  requiredViewer: "admin",
  parsers: mailParsers,
  messages: ["mailLog", "savedViews"],
  renderContent: async ({ api, input, searchParams }) => {
    const view = await readSeriesView(searchParams, MAIL_PERIODS);
    const [data, { data: series }] = await Promise.all([
      api.mail.list({ query: input }),
      api.mail.series({ query: view.query }),
    ]);
    return (
      <>
        <PageCharts
          path="/admin/mails"
          searchParams={searchParams}
          view={view}
          periods={MAIL_PERIODS}
          series={[series]}
        >
          <MailsChart series={series} />
        </PageCharts>
        <MailsTable firstPage={{ input, data }} />
      </>
    );
  },
});
