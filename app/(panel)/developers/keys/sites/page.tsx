import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { KeyTabs } from "@/components/access/tokens/key-tabs";
import { listInput } from "@/components/api/list-address";
import { ClientMessages } from "@/components/shell/client-messages";
import { siteKeyParsers } from "@/components/sites/external-keys/list-view";
import { SiteKeysPanel } from "@/components/sites/external-keys/site-keys-panel";
import { Crumb } from "@/components/ui/crumbs";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../../viewer";
import { DevelopersClosed } from "../../closed";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("keyUse.tabs");
  return { title: t("sites") };
}

const viewOf = createLoader(siteKeyParsers);

export default async function SiteKeysPage({ searchParams }: PageProps<"/developers/keys/sites">) {
  const [t, { viewer }, { api }, view] = await Promise.all([
    getTranslations("keyUse"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer === "agent") return <DevelopersClosed words="keys" />;
  const input = listInput(view);
  const data = await api.externalKeys.list({ query: { page: input.page } });
  return (
    <ClientMessages namespaces={["keyUse"]}>
      <Crumb depth={1}>{t("tabs.sites")}</Crumb>
      <PageHeader title={t("tabs.sites")} description={t("sites.text")} />
      <KeyTabs current="sites" />
      <SiteKeysPanel first={{ input, data }} />
    </ClientMessages>
  );
}
