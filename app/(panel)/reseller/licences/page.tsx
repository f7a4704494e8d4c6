import { LicenceList } from "@/components/billing/subscriptions/licences-table";
import { billedLicenceParsers } from "@/components/billing/subscriptions/list-view";
import { metadataWithTitle } from "../../../page-title";
import { listPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("billing.licences.title");

export default listPage({
  heading: { title: "billing.licences.title", text: "billing.licences.text" },
  requiredViewer: "reseller",
  parsers: billedLicenceParsers,
  messages: ["billing"],
  content: async ({ api, input }) => {
    const data = await api.subscriptions.licences({ query: input });
    return <LicenceList firstPage={{ input, data }} bank={data.bank} />;
  },
});
