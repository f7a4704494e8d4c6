import { getTranslations } from "next-intl/server";
import { MenuEditor } from "@/components/accounts/preferences/menu-editor";
import { ClientMessages } from "@/components/shell/client-messages";
import { SettingsTabs } from "@/components/shell/settings-tabs";
import { PageHeader } from "@/components/ui/page-header";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("menuSettings.title");

export default async function MenuPage() {
  const [t, { viewer }, { api }] = await Promise.all([
    getTranslations("menuSettings"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <SettingsTabs current="menu" viewer={viewer} />
      <ClientMessages namespaces={["menuSettings"]}>
        <MenuEditor initial={await api.preferences.getMenuLabels()} viewer={viewer} />
      </ClientMessages>
    </>
  );
}
