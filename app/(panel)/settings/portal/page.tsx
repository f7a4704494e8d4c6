import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { SettingsTabs } from "@/components/shell/settings-tabs";
import { PortalCard } from "@/components/tenancy/portals/portal-card";
import { PageHeader } from "@/components/ui/page-header";
import { mainHost } from "@/server/core/portal";
import { panel } from "@/server/transports/trpc/caller";
import { agreementGate } from "../../reseller/gate";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("portal");
  return { title: t("page") };
}

/** For resellers. */
export default async function PortalPage() {
  const [t, { viewer }, { api }] = await Promise.all([getTranslations("portal"), signedIn(), panel()]);
  if (viewer !== "reseller") notFound();
  const gate = await agreementGate();
  return (
    <>
      <PageHeader title={t("page")} description={t("pageText")} />
      <SettingsTabs current="portal" viewer={viewer} />
      {gate ?? (
        <ClientMessages namespaces={["portal", "identity", "auth"]}>
          <div className="flex max-w-3xl flex-col gap-6">
            <PortalCard initial={await api.portals.get()} panelHost={mainHost()} />
          </div>
        </ClientMessages>
      )}
    </>
  );
}
