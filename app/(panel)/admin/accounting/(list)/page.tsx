import { InvoicesTable } from "@/components/billing/accounting/invoices-table";
import { Standing } from "@/components/billing/accounting/standing";
import { documentParsers } from "@/components/billing/records/list-views";
import { pageTitle } from "../../../../page-title";
import { listPage } from "../../../list-page";

export const generateMetadata = pageTitle("accounting.title");

export default listPage({
  heading: { title: "accounting.title", text: "accounting.text" },
  only: "admin",
  parsers: documentParsers,
  messages: ["accounting", "billingAdmin", "savedViews"],
  content: async ({ api, input }) => {
    const data = await api.accounting.list({ query: input });
    return (
      <>
        <Standing first={data.accounting} />
        <InvoicesTable first={{ input, data }} />
      </>
    );
  },
});
