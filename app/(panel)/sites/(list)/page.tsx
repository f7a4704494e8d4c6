import { Globe, Plus } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { ClientMessages } from "@/components/shell/client-messages";
import { siteParsers } from "@/components/sites/sites/list-view";
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

const viewOf = createLoader(siteParsers);

export default async function SitesPage({ searchParams }: PageProps<"/sites">) {
  const [t, { user, viewer }, { api }, view] = await Promise.all([
    getTranslations("sites"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  const agent = viewer === "agent";
  const input = listInput(view);
  const [sites, forecast] = await Promise.all([
    api.sites.list({ query: input }),
    agent ? null : api.sites.getForecast(),
  ]);
  const none = sites.data.length === 0 && Object.keys(await searchParams).length === 0;
  const planFirst = forecast?.mode === "upgrade";
  const seesOthers = viewer === "reseller" || viewer === "admin";
  return (
    <>
      <SitesHeader forecast={forecast} viewer={viewer} empty={none} />
      <ClientMessages namespaces={["sites", "connections", "savedViews"]}>
        <SitesTable
          mayChange={!agent}
          first={{ input, data: sites }}
          owner={seesOthers ? { id: user.id } : undefined}
          empty={
            <EmptyState
              icon={<Globe />}
              title={t("empty.title")}
              action={
                agent ? undefined : (
                  <LinkButton variant="primary" href="/sites/new" icon={planFirst ? undefined : <Plus />}>
                    {t(planFirst ? "empty.plans" : "new.title")}
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
