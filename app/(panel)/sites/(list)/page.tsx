import { Globe, Plus } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { SitesHeader } from "@/components/sites/sites/sites-header";
import { SitesTable } from "@/components/sites/sites/sites-table";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("sites");
  return { title: t("title") };
}

export default async function SitesPage() {
  const [t, { user, viewer }, { api }] = await Promise.all([getTranslations("sites"), signedIn(), panel()]);
  const agent = viewer === "agent";
  const [sites, forecast] = await Promise.all([api.sites.list(), agent ? null : api.sites.forecast()]);
  const seesOthers = viewer === "reseller" || viewer === "admin";
  return (
    <>
      <SitesHeader forecast={forecast} viewer={viewer} empty={sites.data.length === 0} />
      <ClientMessages namespaces={["sites"]}>
        <SitesTable
          initial={sites}
          owner={seesOthers ? { id: user.id } : undefined}
          empty={
            <EmptyState
              icon={<Globe />}
              title={t("empty.title")}
              action={
                agent ? undefined : (
                  <LinkButton variant="primary" href="/sites/new" icon={<Plus />}>
                    {t("new.title")}
                  </LinkButton>
                )
              }
            >
              {agent
                ? t("empty.agent")
                : forecast?.mode === "subscription_slot"
                  ? t("empty.slots", { count: forecast.remaining_slots })
                  : t(forecast?.mode === "pay_per_site" ? "empty.licence" : "empty.upgrade")}
            </EmptyState>
          }
        />
      </ClientMessages>
    </>
  );
}
