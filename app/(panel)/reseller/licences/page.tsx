import { LicencesDueChart } from "@/components/billing/subscriptions/licences-due-chart";
import { BilledLicenceList } from "@/components/billing/subscriptions/licences-table";
import { billedLicenceParsers } from "@/components/billing/subscriptions/list-view";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { LICENCE_PERIODS } from "@/server/domains/billing/subscriptions/contract";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("billing.licences.title");

export default createListPage({
  heading: { title: "billing.licences.title", text: "billing.licences.text" },
  requiredViewer: "reseller",
  parsers: billedLicenceParsers,
  messages: ["billing", "billingState"],
  renderContent: async ({ api, input, searchParams }) => {
    const seriesView = await readSeriesView(searchParams, LICENCE_PERIODS);
    const { compare: _, ...query } = seriesView.query;
    const [data, { data: series }] = await Promise.all([
      api.subscriptions.licences({ query: input }),
      api.subscriptions.licencesDue({ query }),
    ]);
    return (
      <div className="flex flex-col gap-6">
        <PageCharts
          path="/reseller/licences"
          searchParams={searchParams}
          view={seriesView}
          periods={LICENCE_PERIODS}
          hasDates={false}
          hasComparison={false}
          series={[series]}
          hasMargin={false}
        >
          <LicencesDueChart series={series} />
        </PageCharts>
        <BilledLicenceList firstPage={{ input, data }} bank={data.bank} />
      </div>
    );
  },
});
