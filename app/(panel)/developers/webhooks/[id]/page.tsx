import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { createLoader } from "nuqs/server";
import { cache } from "react";
import { DeliveriesChart } from "@/components/accounts/webhooks/deliveries-chart";
import { buildDeliveryParsers } from "@/components/accounts/webhooks/list-view";
import type { EventType } from "@/components/accounts/webhooks/types";
import { WebhookPanel } from "@/components/accounts/webhooks/webhook-panel";
import { toListInput } from "@/components/api/list-parsers";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { ClientMessages } from "@/components/shell/client-messages";
import { isAppError } from "@/server/core/errors";
import { SUBSCRIBABLE_EVENTS, WEBHOOK_PERIODS } from "@/server/domains/accounts/webhooks/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";

const findWebhook = cache(async (id: string) => {
  const { api } = await getPanelCaller();
  try {
    return (await api.webhooks.get({ params: { id } })).webhook;
  } catch (error) {
    const cause = (error as Error).cause;
    if (isAppError(cause) && (cause.status === 403 || cause.status === 404)) notFound();
    throw error;
  }
});

export async function generateMetadata({
  params,
}: PageProps<"/developers/webhooks/[id]">): Promise<Metadata> {
  const { description, url } = await findWebhook((await params).id);
  return { title: description ?? new URL(url).host };
}

const EVENT_TYPES = SUBSCRIBABLE_EVENTS as EventType[];
const loadView = createLoader(buildDeliveryParsers(EVENT_TYPES));

export default async function WebhookPage({ params, searchParams }: PageProps<"/developers/webhooks/[id]">) {
  const [{ id }, { api }, view, seriesView, parameters] = await Promise.all([
    params,
    getPanelCaller(),
    loadView(searchParams),
    readSeriesView(searchParams, WEBHOOK_PERIODS),
    searchParams,
  ]);
  const webhook = await findWebhook(id);
  const input = toListInput(view);
  const { page, state, type } = input;
  const [data, { data: series }] = await Promise.all([
    api.webhooks.deliveries({ params: { id }, query: { page, state, type } }),
    api.webhooks.series({ query: { ...seriesView.query, webhook_id: id } }),
  ]);
  return (
    <ClientMessages namespaces={["webhooks", "identity", "auth"]}>
      <WebhookPanel
        initial={webhook}
        firstPage={{ input, data }}
        eventTypes={EVENT_TYPES}
        chart={
          <PageCharts
            path={`/developers/webhooks/${id}`}
            searchParams={parameters}
            view={seriesView}
            periods={WEBHOOK_PERIODS}
            series={[series]}
            hasMargin={false}
          >
            <DeliveriesChart series={series} isOfOne />
          </PageCharts>
        }
      />
    </ClientMessages>
  );
}
