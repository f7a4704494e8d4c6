import { getTranslations } from "next-intl/server";
import { ConsentsPanel } from "@/components/accounts/consents/consents-panel";
import { ClientMessages } from "@/components/shell/client-messages";
import { SettingsTabs } from "@/components/shell/settings-tabs";
import { HelpCard } from "@/components/ui/help-card";
import { PageHeader } from "@/components/ui/page-header";
import { WithAside } from "@/components/ui/with-aside";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("consentSettings.title");

export default async function ConsentsPage() {
  const [t, { viewer }, { api }] = await Promise.all([
    getTranslations("consentSettings"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <SettingsTabs current="consents" viewer={viewer} />
      <ClientMessages namespaces={["consents", "consentSettings"]}>
        <WithAside
          aside={
            <HelpCard title={t("help")}>
              <p>{t("helpText")}</p>
            </HelpCard>
          }
        >
          <ConsentsPanel initial={await api.consents.get()} />
        </WithAside>
      </ClientMessages>
    </>
  );
}
