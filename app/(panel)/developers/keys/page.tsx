import { getTranslations } from "next-intl/server";
import { KeyCallsChart } from "@/components/access/tokens/key-calls-chart";
import { KeysPanel } from "@/components/access/tokens/keys-panel";
import { keyListParsers } from "@/components/access/tokens/list-view";
import { hasFigures, PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { Sparkline } from "@/components/charts/sparkline";
import { env } from "@/server/core/env";
import { KEY_PERIODS } from "@/server/domains/access/tokens/contract";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";
import { DevelopersForbidden } from "../developers-forbidden";

export const generateMetadata = metadataWithTitle("keys.title");

export default createListPage({
  parsers: keyListParsers,
  messages: ["keys", "keyUse", "identity", "auth"],
  renderContent: async ({ api, input, viewer, searchParams }) => {
    if (viewer === "agent") return <DevelopersForbidden namespace="keys" />;
    const [t, view] = await Promise.all([
      getTranslations("charts.keyCalls"),
      readSeriesView(searchParams, KEY_PERIODS),
    ]);
    const [data, { data: series }, { data: week }] = await Promise.all([
      api.tokens.listKeys({ query: { page: input.page } }),
      api.tokens.keySeries({ query: view.query }),
      api.tokens.keySeries({ query: { period: "7d" } }),
    ]);
    const sparklines = week.keys.map(({ id, calls }) => {
      const label = t("course", { count: calls.reduce((sum, value) => sum + value, 0) });
      return [id, <Sparkline key={id} values={calls} label={label} />] as const;
    });
    return (
      <KeysPanel
        firstPage={{ input, data }}
        origin={env().APP_URL}
        chart={
          <PageCharts
            path="/developers/keys"
            searchParams={searchParams}
            view={view}
            periods={KEY_PERIODS}
            series={[series]}
            isWorthShowing={data.meta.total > 0 && hasFigures(series)}
            hasMargin={false}
          >
            <KeyCallsChart series={series} />
          </PageCharts>
        }
        sparklines={Object.fromEntries(sparklines)}
      />
    );
  },
});
