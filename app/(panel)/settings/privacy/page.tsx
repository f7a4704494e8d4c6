import { getTranslations } from "next-intl/server";
import { DeletionCard } from "@/components/settings/account-deletion/deletion-card";
import { ExportCard } from "@/components/settings/data-export/export-card";
import { ClientMessages } from "@/components/shell/client-messages";
import { SettingsTabs } from "@/components/shell/settings-tabs";
import { SupportAccessCard } from "@/components/tenancy/view-as/support-access-card";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { SectionNav } from "@/components/ui/section-nav";
import { WithAside } from "@/components/ui/with-aside";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("privacy.title");

export default async function PrivacyPage() {
  const [t, { user, viewer }, { api }] = await Promise.all([
    getTranslations(),
    requireSignIn(),
    getPanelCaller(),
  ]);
  return (
    <>
      <PageHeader title={t("privacy.title")} description={t("privacy.text")} />
      <SettingsTabs current="privacy" viewer={viewer} />
      <ClientMessages namespaces={["deletion", "dataExport", "supportAccess", "identity", "auth"]}>
        <WithAside
          asideFirst
          aside={
            <SectionNav
              sections={[
                ...(user.role === "admin" ? [] : [{ id: "support", label: t("supportAccess.title") }]),
                { id: "export", label: t("dataExport.title") },
                { id: "delete", label: t("deletion.title") },
              ]}
            />
          }
        >
          {user.role === "admin" ? null : (
            <div id="support">
              <SupportAccessCard initialData={await api.viewAs.getAccess()} />
            </div>
          )}
          <div id="export">
            <ExportCard initial={await api.dataExport.get()} />
          </div>
          <div id="delete">
            {user.is_agent_only ? (
              <Card title={t("deletion.title")} description={t("deletion.agent")} />
            ) : (
              <DeletionCard forecast={await api.accountDeletion.getForecast()} />
            )}
          </div>
        </WithAside>
      </ClientMessages>
    </>
  );
}
