import { Globe, Plus } from "lucide-react";
import type { Route } from "next";
import { getTranslations } from "next-intl/server";
import { EmptyList } from "@/components/api/empty-list";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { siteParsers } from "@/components/sites/sites/list-view";
import { countSitesOfPeriod, SitesChart } from "@/components/sites/sites/sites-chart";
import { SitesHeader } from "@/components/sites/sites/sites-header";
import { SitesTable } from "@/components/sites/sites/sites-table";
import { LinkButton } from "@/components/ui/link-button";
import { SITE_PERIODS } from "@/server/domains/sites/sites/contract";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("sites.title");

export default createListPage({
  parsers: siteParsers,
  messages: ["sites", "connections", "savedViews"],
  renderContent: async ({ api, input, searchParams, user, viewer }) => {
    const t = await getTranslations("sites");
    const isAgent = viewer === "agent";
    const seriesView = await readSeriesView(searchParams, SITE_PERIODS);
    const [sites, forecast, series] = await Promise.all([
      api.sites.list({ query: input }),
      isAgent ? null : api.sites.getForecast(),
      isAgent ? null : api.sites.series({ query: seriesView.query }).then(({ data }) => data),
    ]);
    const isEmpty = sites.data.length === 0 && Object.keys(searchParams).length === 0;
    const needsPlan = forecast?.mode === "upgrade";
    const canCreate = !isAgent && !(needsPlan && user.parent_user_id !== null);
    const canSeeOtherOwners = viewer === "reseller" || viewer === "admin";
    return (
      <>
        <SitesHeader slotForecast={forecast} viewer={viewer} hasNoSites={isEmpty} />
        {series ? (
          <PageCharts
            path="/sites"
            searchParams={searchParams}
            view={seriesView}
            periods={SITE_PERIODS}
            series={[series]}
            // One site has no course worth a chart.
            isWorthShowing={countSitesOfPeriod(series) >= (canSeeOtherOwners ? 1 : 2)}
          >
            <SitesChart series={series} />
          </PageCharts>
        ) : null}
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
