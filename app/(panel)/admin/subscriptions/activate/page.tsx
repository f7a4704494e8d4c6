import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { ActivatePlan } from "@/components/tenancy/administration/activate-plan";
import { PageHeader } from "@/components/ui/page-header";
import { metadataWithTitle } from "../../../../page-title";
import { requireSignIn } from "../../../viewer";

export const generateMetadata = metadataWithTitle("billingAdmin.activation.title");

export default async function ActivatePage() {
  const [t, { viewer }] = await Promise.all([getTranslations("billingAdmin.activation"), requireSignIn()]);
  if (viewer !== "admin") notFound();
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["billingAdmin", "identity", "auth"]}>
        <div className="max-w-3xl">
          <ActivatePlan />
        </div>
      </ClientMessages>
    </>
  );
}
