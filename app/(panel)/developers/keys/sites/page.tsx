import { getTranslations } from "next-intl/server";
import { KeyTabs } from "@/components/access/tokens/key-tabs";
import { siteKeyParsers } from "@/components/sites/external-keys/list-view";
import { SiteKeysPanel } from "@/components/sites/external-keys/site-keys-panel";
import { Crumb } from "@/components/ui/crumbs";
import { PageHeader } from "@/components/ui/page-header";
import { metadataWithTitle } from "../../../../page-title";
import { createListPage } from "../../../list-page";
import { DevelopersForbidden } from "../../developers-forbidden";

export const generateMetadata = metadataWithTitle("keyUse.tabs.sites");

export default createListPage({
  parsers: siteKeyParsers,
  messages: ["keyUse"],
  renderContent: async ({ api, input, viewer }) => {
    if (viewer === "agent") return <DevelopersForbidden namespace="keys" />;
    const [t, data] = await Promise.all([
      getTranslations("keyUse"),
      api.externalKeys.list({ query: { page: input.page } }),
    ]);
    return (
      <>
        <Crumb depth={1}>{t("tabs.sites")}</Crumb>
        <PageHeader title={t("tabs.sites")} description={t("sites.text")} />
        <KeyTabs current="sites" />
        <SiteKeysPanel firstPage={{ input, data }} />
      </>
    );
  },
});
