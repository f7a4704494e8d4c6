import { Cable, Plug } from "lucide-react";
import type { Route } from "next";
import { getTranslations } from "next-intl/server";
import { EmptyList } from "@/components/api/empty-list";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { ChecksChart } from "@/components/sites/connections/checks-chart";
import { ConnectionsTable } from "@/components/sites/connections/connections-table";
import { connectionParsers } from "@/components/sites/connections/list-view";
import { getWizardPath } from "@/components/sites/connections/paths";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { env } from "@/server/core/env";
import { CONNECTION_PERIODS } from "@/server/domains/sites/connections/contract";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";
import { toOwnSites } from "../find-connection";

export const generateMetadata = metadataWithTitle("connections.title");

export default createListPage({
  parsers: connectionParsers,
  messages: ["connections", "savedViews"],
  renderContent: async ({ api, input, user, viewer, searchParams }) => {
    const [t, view] = await Promise.all([
      getTranslations("connections"),
      readSeriesView(searchParams, CONNECTION_PERIODS),
    ]);
    const [connections, sites, { data: series }, deadConnections] = await Promise.all([
      api.connections.list({ query: input }),
      api.sites.list(),
      api.connections.series({ query: view.query }),
      // The alert below counts dead connections of all accounts; the banner of the panel only the viewer's.
      viewer === "reseller" || viewer === "admin"
        ? api.connections.list({ query: { state: "dead", per_page: "1" } })
        : null,
    ]);
    const ownSites = toOwnSites(sites.data, user.id);
    return (
      <>
        <PageHeader
          title={t("title")}
          description={t("text")}
          actions={
            <>
              {env().production ? null : (
                <LinkButton variant="ghost" href={"/dev/sandbox" as Route}>
                  {t("sandboxes")}
                </LinkButton>
              )}
              <LinkButton href="/connections/idle">{t("openIdle")}</LinkButton>
              {viewer === "agent" ? null : (
                <LinkButton data-create variant="primary" icon={<Plug />} href={getWizardPath()}>
                  {t("connect.open")}
                </LinkButton>
              )}
            </>
          }
        />
        {deadConnections && deadConnections.meta.total > 0 ? (
          <div className="mb-6">
            <FormAlert
              tone="warning"
              action={
                <LinkButton size="sm" href="/connections?state=dead">
                  {t("filter.dead")}
                </LinkButton>
              }
            >
              {t("dead", { count: deadConnections.meta.total })}
            </FormAlert>
          </div>
        ) : null}
        <PageCharts
          path="/connections"
          searchParams={searchParams}
          view={view}
          periods={CONNECTION_PERIODS}
          series={[series]}
        >
          <ChecksChart series={series} />
        </PageCharts>
        <ConnectionsTable
          firstPage={{ input, data: connections }}
          sites={ownSites}
          viewerId={user.id}
          empty={
            <EmptyList
              icon={<Cable />}
              title={t("empty.title")}
              action={
                viewer === "agent" ? undefined : (
                  <LinkButton variant="primary" href={getWizardPath()}>
                    {t("empty.action")}
                  </LinkButton>
                )
              }
              guide={"/developers/docs/connections" as Route}
            >
              {t("empty.text")}
            </EmptyList>
          }
        />
      </>
    );
  },
});
