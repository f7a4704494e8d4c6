import { LicencesTable } from "@/components/billing/records/licences-table";
import { licenceParsers } from "@/components/billing/records/list-views";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("billingAdmin.licences.title");

export default createListPage({
  heading: { title: "billingAdmin.licences.title", text: "billingAdmin.licences.text" },
  requiredViewer: "admin",
  parsers: licenceParsers,
  messages: ["billingAdmin", "billingState", "savedViews", "identity", "auth"],
  renderContent: async ({ api, input }) => (
    <LicencesTable firstPage={{ input, data: await api.records.listLicences({ query: input }) }} />
  ),
});
