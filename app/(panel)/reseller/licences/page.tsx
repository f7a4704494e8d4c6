import { LicencesDueChart } from "@/components/billing/subscriptions/licences-due-chart";
import { BilledLicenceList } from "@/components/billing/subscriptions/licences-table";
import { billedLicenceParsers } from "@/components/billing/subscriptions/list-view";
import { PeriodPicker } from "@/components/charts/period-picker";
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
    const seriesView = await readSeriesView(Promise.resolve(searchParams), LICENCE_PERIODS);
    const { compare: _, ...query } = seriesView.query;
    const [data, { data: series }] = await Promise.all([
      api.subscriptions.licences({ query: input }),
      api.subscriptions.licencesDue({ query }),
    ]);
    const hasLicences = series.lines.some(({ total }) => total) || seriesView.period !== LICENCE_PERIODS[0];
    return (
      <div className="flex flex-col gap-6">
        {hasLicences ? (
          <div className="flex flex-col gap-3">
            <PeriodPicker
              path="/reseller/licences"
              searchParams={searchParams}
              view={seriesView}
              periods={LICENCE_PERIODS}
              hasDates={false}
              hasComparison={false}
            />
            <LicencesDueChart series={series} />
          </div>
        ) : null}
        <BilledLicenceList firstPage={{ input, data }} bank={data.bank} />
      </div>
    );
  },
});
