"use client";

import { Webhook as WebhookIcon } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { api } from "@/components/api/client";
import { EmptyList } from "@/components/api/empty-list";
import { Card } from "@/components/ui/card";
import { type Column, DataTable } from "@/components/ui/data-table";
import { FormattedNumber } from "@/components/ui/number";
import { PageHeader } from "@/components/ui/page-header";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listWebhooks } from "@/server/domains/accounts/webhooks/contract";
import { CreateWebhook } from "./create-webhook";
import type { EventType, Webhook } from "./types";
import { WebhookState } from "./webhook-state";

const WEBHOOK_GUIDE_PATH = "/developers/docs/guides/webhooks" as Route;

export interface WebhooksPanelProps {
  initial: Output<typeof listWebhooks>;
  eventTypes: readonly EventType[];
  /** URL of the receiver in demo mode. */
  sandboxUrl: string | undefined;
  chart: ReactNode;
  /** Deliveries of the last days, by webhook. */
  sparklines: Record<number, ReactNode>;
  children: ReactNode;
}

export function WebhooksPanel({
  initial,
  eventTypes,
  sandboxUrl,
  chart,
  sparklines,
  children,
}: WebhooksPanelProps) {
  const t = useTranslations("webhooks");
  const { data } = api.webhooks.list.useQuery(undefined, { initialData: initial });
  const columns: Column<Webhook>[] = [
    {
      id: "url",
      header: t("column.url"),
      isCardTitle: true,
      cell: ({ id, url, description }) => (
        <span className="flex min-w-0 max-w-md flex-col sm:py-2">
          <TextLink href={`/developers/webhooks/${id}` as Route}>
            <bdi dir="ltr" className="wrap-anywhere">
              {url}
            </bdi>
          </TextLink>
          {description ? <bdi className="text-fg-muted">{description}</bdi> : null}
        </span>
      ),
    },
    { id: "state", header: t("column.state"), cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      id: "course",
      header: t("column.course"),
      minTableWidth: "medium",
      cell: ({ id }) => sparklines[id] ?? null,
    },
    {
      id: "events",
      header: t("column.events"),
      minTableWidth: "medium",
      cell: ({ events }) =>
        events.length === 0 ? t("allEvents") : t("someEvents", { count: events.length }),
    },
    {
      id: "lastOk",
      header: t("column.lastOk"),
      cell: ({ last_ok_at }) =>
        last_ok_at ? <Time value={last_ok_at} /> : <span className="text-fg-muted">{t("never")}</span>,
    },
    {
      id: "failures",
      header: t("column.failures"),
      align: "end",
      cell: ({ failures }) => <FormattedNumber value={failures} />,
    },
  ];
  const hasWebhooks = data.webhooks.length > 0;
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t.rich("text", {
          docs: (text) => <TextLink href={WEBHOOK_GUIDE_PATH}>{text}</TextLink>,
        })}
        actions={<CreateWebhook eventTypes={eventTypes} sandboxUrl={sandboxUrl} />}
      />
      <div className="flex flex-col gap-6">
        {hasWebhooks ? chart : null}
        <Card flush={hasWebhooks}>
          <DataTable
            caption={t("title")}
            columns={columns}
            rows={data.webhooks}
            rowKey={({ id }) => String(id)}
            emptyState={
              <EmptyList
                icon={<WebhookIcon />}
                title={t("empty.title")}
                createLabel={t("empty.action")}
                guide={WEBHOOK_GUIDE_PATH}
              >
                {t("empty.text")}
              </EmptyList>
            }
          />
        </Card>
        {children}
      </div>
    </>
  );
}
