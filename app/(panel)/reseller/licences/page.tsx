import { BilledLicenceList } from "@/components/billing/subscriptions/licences-table";
import { billedLicenceParsers } from "@/components/billing/subscriptions/list-view";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("billing.licences.title");

export default createListPage({
  heading: { title: "billing.licences.title", text: "billing.licences.text" },
  requiredViewer: "reseller",
  parsers: billedLicenceParsers,
  messages: ["billing", "billingState"],
  renderContent: async ({ api, input }) => {
    const data = await api.subscriptions.licences({ query: input });
    return <BilledLicenceList firstPage={{ input, data }} bank={data.bank} />;
  },
});
