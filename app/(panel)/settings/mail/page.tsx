import { notFound, redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { SettingsTabs } from "@/components/shell/settings-tabs";
import { MailAccountCard } from "@/components/tenancy/mail-accounts/mail-account-card";
import { MailServers } from "@/components/tenancy/mail-accounts/mail-servers";
import { PageHeader } from "@/components/ui/page-header";
import { WithAside } from "@/components/ui/with-aside";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("mailAccount.page");

/** Agents have no mail account. Resellers have a page of their own. */
export default async function MailPage() {
  const [t, { viewer }, { api }] = await Promise.all([
    getTranslations("mailAccount"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  if (viewer === "agent") notFound();
  if (viewer === "reseller") redirect("/reseller/mail");
  const mailAccount = await api.mailAccounts.get();
  return (
    <>
      <PageHeader title={t("page")} description={t("pageText")} />
      <SettingsTabs current="mail" viewer={viewer} />
      <ClientMessages namespaces={["mailAccount", "identity", "auth"]}>
        <WithAside aside={<MailServers />}>
          <MailAccountCard initialData={mailAccount} />
        </WithAside>
      </ClientMessages>
    </>
  );
}
