import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { AgreementPanel } from "@/components/tenancy/legal-texts/agreement-panel";
import { PageHeader } from "@/components/ui/page-header";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("agreement.title");

export default async function AgreementPage() {
  const [t, { user, viewer }, { api }] = await Promise.all([
    getTranslations("agreement"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  if (viewer !== "reseller") notFound();
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["agreement", "identity", "auth"]}>
        <AgreementPanel initialData={await api.legalTexts.getAgreement()} accountName={user.name} />
      </ClientMessages>
    </>
  );
}
