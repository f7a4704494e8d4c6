import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { MailAccountCard } from "@/components/tenancy/mail-accounts/mail-account-card";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { pageTitle } from "../../../page-title";
import { signedIn } from "../../viewer";
import { agreementGate } from "../gate";

export const generateMetadata = pageTitle("mailAccount.page");

/** For resellers; other accounts have this card in the settings. */
export default async function ResellerMailPage() {
  const [t, { viewer }, { api }] = await Promise.all([getTranslations("mailAccount"), signedIn(), panel()]);
  if (viewer !== "reseller") notFound();
  const gate = await agreementGate();
  return (
    <>
      <PageHeader title={t("page")} description={t("pageText")} />
      {gate ?? (
        <ClientMessages namespaces={["mailAccount", "identity", "auth"]}>
          <div className="flex max-w-3xl flex-col gap-6">
            <MailAccountCard initial={await api.mailAccounts.get()} />
          </div>
        </ClientMessages>
      )}
    </>
  );
}
