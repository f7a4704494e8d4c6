import { getTranslations } from "next-intl/server";
import { DeliveriesChart } from "@/components/accounts/webhooks/deliveries-chart";
import type { EventType } from "@/components/accounts/webhooks/types";
import { VerifyCards } from "@/components/accounts/webhooks/verify-cards";
import { WebhooksPanel } from "@/components/accounts/webhooks/webhooks-panel";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { Sparkline } from "@/components/charts/sparkline";
import { ClientMessages } from "@/components/shell/client-messages";
import { env } from "@/server/core/env";
import { SUBSCRIBABLE_EVENTS, WEBHOOK_PERIODS } from "@/server/domains/accounts/webhooks/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";
import { DevelopersForbidden } from "../developers-forbidden";

export const generateMetadata = metadataWithTitle("webhooks.title");

export default async function WebhooksPage({ searchParams }: PageProps<"/developers/webhooks">) {
  const [t, { viewer }, { api }, view, parameters] = await Promise.all([
    getTranslations("charts.webhooks"),
    requireSignIn(),
    getPanelCaller(),
    readSeriesView(searchParams, WEBHOOK_PERIODS),
    searchParams,
  ]);
  if (viewer === "agent") return <DevelopersForbidden namespace="webhooks" />;
  const [initial, { data: series }] = await Promise.all([
    api.webhooks.list(),
    api.webhooks.series({ query: view.query }),
  ]);
  const sparklines = await Promise.all(
    initial.webhooks.map(async ({ id }) => {
      const { data } = await api.webhooks.series({ query: { webhook_id: String(id), period: "7d" } });
      const [delivered, failed] = ["delivered", "failed"].map(
        (key) => data.lines.find((line) => line.key === key)!,
      );
      const label = t("course", { delivered: delivered!.total ?? 0, failed: failed!.total ?? 0 });
      return [id, <Sparkline key={id} values={delivered!.values} label={label} />] as const;
    }),
  );
  const { production, APP_URL } = env();
  return (
    <ClientMessages namespaces={["webhooks"]}>
      <WebhooksPanel
        initial={initial}
        eventTypes={SUBSCRIBABLE_EVENTS as EventType[]}
        sandboxUrl={production ? undefined : `${APP_URL}/dev/sandbox/webhook/receiver`}
        chart={
          <PageCharts
            path="/developers/webhooks"
            searchParams={parameters}
            view={view}
            periods={WEBHOOK_PERIODS}
            series={[series]}
            hasMargin={false}
          >
            <DeliveriesChart series={series} />
          </PageCharts>
        }
        sparklines={Object.fromEntries(sparklines)}
      >
        <VerifyCards />
      </WebhooksPanel>
    </ClientMessages>
  );
}
