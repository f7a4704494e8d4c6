import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { HealthPanel } from "@/components/platform/health/health-panel";
import { RequestCharts } from "@/components/platform/requests/request-charts";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { REQUEST_PERIODS } from "@/server/domains/platform/requests/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("health.title");

export default async function HealthPage({ searchParams }: PageProps<"/admin/health">) {
  const [t, { viewer }, { api }, view, parameters] = await Promise.all([
    getTranslations("health"),
    requireSignIn(),
    getPanelCaller(),
    readSeriesView(searchParams, REQUEST_PERIODS),
    searchParams,
  ]);
  if (viewer !== "admin") notFound();
  const { data: series } = await api.requests.series({ query: view.query });
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <PageCharts
        path="/admin/health"
        searchParams={parameters}
        view={view}
        periods={REQUEST_PERIODS}
        series={[series]}
      >
        <RequestCharts series={series} />
      </PageCharts>
      <ClientMessages namespaces={["health"]}>
        <HealthPanel />
      </ClientMessages>
    </>
  );
}
