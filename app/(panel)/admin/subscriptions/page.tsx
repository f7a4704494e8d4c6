import { getTranslations } from "next-intl/server";
import { subscriptionParsers } from "@/components/billing/records/list-views";
import { SubscriptionsTable } from "@/components/billing/records/subscriptions-table";
import { LinkButton } from "@/components/ui/link-button";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("billingAdmin.subscriptions.title");

export default createListPage({
  heading: { title: "billingAdmin.subscriptions.title", text: "billingAdmin.subscriptions.text" },
  actions: <ActivateLink />,
  requiredViewer: "admin",
  parsers: subscriptionParsers,
  messages: ["billingAdmin", "billingState", "savedViews"],
  renderContent: async ({ api, input }) => (
    <SubscriptionsTable firstPage={{ input, data: await api.records.listSubscriptions({ query: input }) }} />
  ),
});

async function ActivateLink() {
  const t = await getTranslations("billingAdmin.subscriptions");
  return (
    <LinkButton data-create variant="primary" href="/admin/subscriptions/activate">
      {t("new")}
    </LinkButton>
  );
}
