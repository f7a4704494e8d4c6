import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PlansTable } from "@/components/billing/subscriptions/plans-table";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("billingAdmin.plans.title");

export default async function PlansPage() {
  const [t, { viewer }, { api }] = await Promise.all([
    getTranslations("billingAdmin.plans"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  if (viewer !== "admin") notFound();
  const plans = await api.subscriptions.listPlans();
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["billingAdmin", "plans", "identity", "auth"]}>
        <PlansTable initial={plans} />
      </ClientMessages>
    </>
  );
}
