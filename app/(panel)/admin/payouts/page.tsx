import { payoutParsers } from "@/components/billing/payouts/list-view";
import { PayoutsTable } from "@/components/billing/payouts/payouts-table";
import { toTurkishDay } from "@/server/core/calendar";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("payouts.title");

export default createListPage({
  heading: { title: "payouts.title", text: "payouts.text" },
  requiredViewer: "admin",
  parsers: payoutParsers,
  messages: ["payouts", "identity", "auth"],
  renderContent: async ({ api, input }) => {
    const data = await api.payouts.list({ query: input });
    const firstOfMonth = new Date(`${toTurkishDay(new Date()).slice(0, 8)}01T00:00:00Z`);
    const previousMonthEnd = new Date(firstOfMonth.getTime() - 1).toISOString().slice(0, 10);
    return <PayoutsTable firstPage={{ input, data }} previousMonthEnd={previousMonthEnd} />;
  },
});
