import { Globe, Plus } from "lucide-react";
import type { Route } from "next";
import { getTranslations } from "next-intl/server";
import { EmptyList } from "@/components/api/empty-list";
import { siteParsers } from "@/components/sites/sites/list-view";
import { SitesHeader } from "@/components/sites/sites/sites-header";
import { SitesTable } from "@/components/sites/sites/sites-table";
import { LinkButton } from "@/components/ui/link-button";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("sites.title");

export default createListPage({
  parsers: siteParsers,
  messages: ["sites", "connections", "savedViews"],
  renderContent: async ({ api, input, searchParams, user, viewer }) => {
    const t = await getTranslations("sites");
    const isAgent = viewer === "agent";
    const [sites, forecast] = await Promise.all([
      api.sites.list({ query: input }),
      isAgent ? null : api.sites.getForecast(),
    ]);
    const isEmpty = sites.data.length === 0 && Object.keys(searchParams).length === 0;
    const needsPlan = forecast?.mode === "upgrade";
    const canCreate = !isAgent && !(needsPlan && user.parent_user_id !== null);
    const canSeeOtherOwners = viewer === "reseller" || viewer === "admin";
    return (
      <>
        <SitesHeader slotForecast={forecast} viewer={viewer} hasNoSites={isEmpty} />
        <SitesTable
          canChange={!isAgent}
          firstPage={{ input, data: sites }}
          viewer={canSeeOtherOwners ? { id: user.id } : undefined}
          empty={
            <EmptyList
              icon={<Globe />}
              title={t("empty.title")}
              guide={"/developers/docs/sites" as Route}
              action={
                !canCreate ? undefined : (
                  <LinkButton variant="primary" href="/sites/new" icon={needsPlan ? undefined : <Plus />}>
                    {t(needsPlan ? "empty.plans" : "new.title")}
                  </LinkButton>
                )
              }
            >
              {isAgent
                ? t("empty.agent")
                : forecast?.mode === "subscription_slot"
                  ? t("empty.slots", { count: forecast.remaining_slots })
                  : t(forecast?.mode === "pay_per_site" ? "empty.licence" : "empty.upgrade")}
            </EmptyList>
          }
        />
      </>
    );
  },
});
