import { DeadlinesChart } from "@/components/billing/accounting/deadlines-chart";
import { InvoicesChart } from "@/components/billing/accounting/invoices-chart";
import { InvoicesTable } from "@/components/billing/accounting/invoices-table";
import { InvoicingStatus } from "@/components/billing/accounting/invoicing-status";
import { invoiceParsers } from "@/components/billing/records/list-views";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { INVOICE_PERIODS } from "@/server/domains/billing/accounting/contract";
import { metadataWithTitle } from "../../../../page-title";
import { createListPage } from "../../../list-page";

export const generateMetadata = metadataWithTitle("accounting.title");

export default createListPage({
  heading: { title: "accounting.title", text: "accounting.text" },
  requiredViewer: "admin",
  parsers: invoiceParsers,
  messages: ["accounting", "billingAdmin", "savedViews"],
  renderContent: async ({ api, input, searchParams }) => {
    const view = await readSeriesView(searchParams, INVOICE_PERIODS);
    const [data, { data: series }, { data: deadlines }] = await Promise.all([
      api.accounting.list({ query: input }),
      api.accounting.series({ query: view.query }),
      api.accounting.deadlines({ query: {} }),
    ]);
    return (
      <>
        <InvoicingStatus initial={data.accounting} />
        <PageCharts
          path="/admin/accounting"
          searchParams={searchParams}
          view={view}
          periods={INVOICE_PERIODS}
          series={[series, deadlines]}
        >
          <InvoicesChart series={series} />
          <DeadlinesChart series={deadlines} />
        </PageCharts>
        <InvoicesTable firstPage={{ input, data }} />
      </>
    );
  },
});
