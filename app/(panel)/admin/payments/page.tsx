import { paymentParsers } from "@/components/billing/records/list-views";
import { PaymentsTable } from "@/components/billing/records/payments-table";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("billingAdmin.payments.title");

export default createListPage({
  heading: { title: "billingAdmin.payments.title", text: "billingAdmin.payments.text" },
  requiredViewer: "admin",
  parsers: paymentParsers,
  messages: ["billingAdmin", "savedViews", "identity", "auth"],
  renderContent: async ({ api, input }) => (
    <PaymentsTable firstPage={{ input, data: await api.records.listPayments({ query: input }) }} />
  ),
});
