"use client";

import { useParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { api } from "@/components/api/client";
import { PageTable } from "@/components/api/page-table";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { Column } from "@/components/ui/data-table";
import { NativeSelect } from "@/components/ui/native-select";
import { FormattedNumber } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import { DELIVERY_STATES } from "@/server/domains/accounts/webhooks/policy";
import { DeliveryDrawer } from "./delivery-drawer";
import { DeliveryState } from "./delivery-state";
import { eventMessageKey } from "./event-message-key";
import { buildDeliveryParsers } from "./list-view";
import { ReplayFailed } from "./replay-failed";
import type { Delivery, EventType, Webhook } from "./types";

type DeliveriesPage = PagedListOptions<ReturnType<typeof buildDeliveryParsers>, Delivery>;

const POLL_INTERVAL_MS = 4000;

const useDeliveries: DeliveriesPage["useRows"] = ({ page, state, type }, options) => {
  const { id } = useParams<{ id: string }>();
  return api.webhooks.deliveries.useQuery(
    { params: { id }, query: { page, state, type } },
    {
      // The type of `options` allows rows without `meta`, which this list always has.
      ...(options as object),
      refetchInterval: ({ state: { data } }) =>
        data?.data.some((delivery) => delivery.state === "waiting") ? POLL_INTERVAL_MS : false,
    },
  );
};

export function DeliveriesCard({
  webhook: { id, is_active },
  firstPage,
  eventTypes,
}: {
  webhook: Webhook;
  firstPage: DeliveriesPage["firstPage"] & { data: { kept_days: number } };
  eventTypes: readonly EventType[];
}) {
  const t = useTranslations("webhooks");
  const parsers = useMemo(() => buildDeliveryParsers(eventTypes), [eventTypes]);
  const { view, total, table, setFilters, clearFilters } = usePagedList(parsers, {
    firstPage,
    useRows: useDeliveries,
  });
  const columns: Column<Delivery>[] = [
    {
      id: "event",
      header: t("deliveries.event"),
      isCardTitle: true,
      cell: (delivery) => (
        <span className="flex flex-col items-start sm:py-2">
          <DeliveryDrawer delivery={delivery} isWebhookActive={is_active} />
          <span className="font-normal text-fg-muted">
            <Ltr mono>{delivery.type}</Ltr>
          </span>
        </span>
      ),
    },
    { id: "state", header: t("column.state"), cell: ({ state }) => <DeliveryState state={state} /> },
    { id: "at", header: t("deliveries.at"), cell: ({ created_at }) => <Time value={created_at} /> },
    {
      id: "attempts",
      hideOnCard: true,
      header: t("deliveries.attempts"),
      align: "end",
      cell: ({ attempts }) => <FormattedNumber value={attempts.length} />,
    },
    {
      id: "result",
      hideOnCard: true,
      header: t("deliveries.result"),
      minTableWidth: "medium",
      cell: ({ attempts: [lastAttempt] }) =>
        lastAttempt ? (
          <span className="whitespace-nowrap text-fg-muted">
            {[
              lastAttempt.error ? t(`failureShort.${lastAttempt.error}`) : t("deliveries.done"),
              lastAttempt.status_code,
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
        ) : null,
    },
  ];
  const isFiltered = Boolean(view.state || view.type);
  return (
    <Card
      flush
      title={t("deliveries.title")}
      description={t("deliveries.text", { days: firstPage.data.kept_days })}
      actions={is_active && (total ?? 0) > 0 ? <ReplayFailed webhookId={id} /> : undefined}
    >
      {total === 0 && !isFiltered ? (
        <p className="px-5 pb-5 text-fg-muted text-sm">{t("deliveries.empty")}</p>
      ) : (
        <>
          <search className="flex flex-wrap gap-3 px-5 pb-4">
            <div className="w-44 max-sm:min-w-36 max-sm:flex-1">
              <NativeSelect
                size="sm"
                aria-label={t("column.state")}
                value={view.state ?? "all"}
                onValueChange={(value) => setFilters({ state: value === "all" ? null : value })}
                options={[
                  { value: "all", label: t("deliveries.allStates") },
                  ...DELIVERY_STATES.map((value) => ({ value, label: t(`deliveryState.${value}`) })),
                ]}
              />
            </div>
            <div className="w-64 max-sm:min-w-36 max-sm:flex-1">
              <NativeSelect
                size="sm"
                aria-label={t("deliveries.event")}
                value={view.type ?? "all"}
                onValueChange={(value) => setFilters({ type: value === "all" ? null : value })}
                options={[
                  { value: "all", label: t("deliveries.allTypes") },
                  ...eventTypes.map((value) => ({ value, label: t(`event.${eventMessageKey(value)}`) })),
                ]}
              />
            </div>
          </search>
          <PageTable
            caption={t("deliveries.title")}
            columns={columns}
            rowKey={(delivery) => String(delivery.id)}
            {...table}
            emptyState={
              <div className="flex flex-wrap items-center gap-3 px-5 pb-5">
                <p className="text-fg-muted text-sm">{t("deliveries.noMatch")}</p>
                <Button size="sm" onClick={clearFilters}>
                  {t("deliveries.clear")}
                </Button>
              </div>
            }
          />
        </>
      )}
    </Card>
  );
}
