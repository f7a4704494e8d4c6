import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { HealthPanel } from "@/components/platform/health/health-panel";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("health.title");

export default async function HealthPage() {
  const [t, { viewer }] = await Promise.all([getTranslations("health"), requireSignIn()]);
  if (viewer !== "admin") notFound();
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["health"]}>
        <HealthPanel />
      </ClientMessages>
    </>
  );
}
