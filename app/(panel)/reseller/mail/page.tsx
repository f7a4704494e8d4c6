import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { MailAccountCard } from "@/components/tenancy/mail-accounts/mail-account-card";
import { MailServers } from "@/components/tenancy/mail-accounts/mail-servers";
import { PageHeader } from "@/components/ui/page-header";
import { WithAside } from "@/components/ui/with-aside";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";
import { renderAgreementGate } from "../agreement-gate";

export const generateMetadata = metadataWithTitle("mailAccount.page");

export default async function ResellerMailPage() {
  const [t, { viewer }, { api }] = await Promise.all([
    getTranslations("mailAccount"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  if (viewer !== "reseller") notFound();
  const gate = await renderAgreementGate();
  return (
    <>
      <PageHeader title={t("page")} description={t("pageText")} />
      {gate ?? (
        <ClientMessages namespaces={["mailAccount", "identity", "auth"]}>
          <WithAside aside={<MailServers />}>
            <MailAccountCard initialData={await api.mailAccounts.get()} />
          </WithAside>
        </ClientMessages>
      )}
    </>
  );
}
