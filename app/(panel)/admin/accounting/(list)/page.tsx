import { InvoicesTable } from "@/components/billing/accounting/invoices-table";
import { InvoicingStatus } from "@/components/billing/accounting/invoicing-status";
import { invoiceParsers } from "@/components/billing/records/list-views";
import { metadataWithTitle } from "../../../../page-title";
import { createListPage } from "../../../list-page";

export const generateMetadata = metadataWithTitle("accounting.title");

export default createListPage({
  heading: { title: "accounting.title", text: "accounting.text" },
  requiredViewer: "admin",
  parsers: invoiceParsers,
  messages: ["accounting", "billingAdmin", "savedViews"],
  renderContent: async ({ api, input }) => {
    const data = await api.accounting.list({ query: input });
    return (
      <>
        <InvoicingStatus initial={data.accounting} />
        <InvoicesTable firstPage={{ input, data }} />
      </>
    );
  },
});
