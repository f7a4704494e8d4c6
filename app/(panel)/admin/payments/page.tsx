import { paymentParsers } from "@/components/billing/records/list-views";
import { PaymentCharts } from "@/components/billing/records/payment-charts";
import { PaymentsTable } from "@/components/billing/records/payments-table";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { PAYMENT_PERIODS } from "@/server/domains/billing/records/contract";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("billingAdmin.payments.title");

export default createListPage({
  heading: { title: "billingAdmin.payments.title", text: "billingAdmin.payments.text" },
  requiredViewer: "admin",
  parsers: paymentParsers,
  messages: ["billingAdmin", "savedViews", "identity", "auth"],
  renderContent: async ({ api, input, searchParams }) => {
    const view = await readSeriesView(searchParams, PAYMENT_PERIODS);
    const [data, { data: series }] = await Promise.all([
      api.records.listPayments({ query: input }),
      api.records.paymentSeries({ query: view.query }),
    ]);
    return (
      <>
        <PageCharts
          path="/admin/payments"
          searchParams={searchParams}
          view={view}
          periods={PAYMENT_PERIODS}
          series={[series]}
        >
          <PaymentCharts series={series} />
        </PageCharts>
        <PaymentsTable firstPage={{ input, data }} />
      </>
    );
  },
});
