"use client";

import { useTranslations } from "next-intl";
import type { ComponentProps, ReactNode } from "react";
import { api } from "@/components/api/client";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { KeyValue } from "@/components/ui/key-value";
import { FormattedNumber } from "@/components/ui/number";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import { DeliveriesCard } from "./deliveries-card";
import { eventMessageKey } from "./event-message-key";
import { RenewSecret } from "./renew-secret";
import type { EventType, Webhook } from "./types";
import { useTestEvent } from "./use-test-event";
import { WebhookActions } from "./webhook-actions";
import { WebhookState } from "./webhook-state";

export function WebhookPanel({
  initial,
  firstPage,
  eventTypes,
  chart,
}: {
  initial: Webhook;
  firstPage: ComponentProps<typeof DeliveriesCard>["firstPage"];
  eventTypes: readonly EventType[];
  chart: ReactNode;
}) {
  const t = useTranslations("webhooks");
  const { data } = api.webhooks.get.useQuery(
    { params: { id: String(initial.id) } },
    { initialData: { success: true, webhook: initial } },
  );
  const { webhook } = data;
  const { button: testButton, resultAlert } = useTestEvent(webhook.id);
  return (
    <>
      <PageHeader
        title={<bdi>{webhook.description ?? new URL(webhook.url).host}</bdi>}
        description={
          <span className="break-all">
            <Ltr mono>{webhook.url}</Ltr>
          </span>
        }
        status={<WebhookState webhook={webhook} />}
        actions={
          <>
            {testButton}
            <WebhookActions webhook={webhook} eventTypes={eventTypes} />
          </>
        }
      />
      <div className="flex flex-col gap-6">
        {resultAlert}
        {webhook.is_active ? null : (
          <FormAlert tone={webhook.disabled_reason === "person" ? "info" : "danger"}>
            {t(`off.${webhook.disabled_reason ?? "person"}`)}
          </FormAlert>
        )}
        <WebhookDetails webhook={webhook} />
        {chart}
        <DeliveriesCard webhook={webhook} firstPage={firstPage} eventTypes={eventTypes} />
      </div>
    </>
  );
}

function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  const { list: formatList } = useFormat();
  const { events, last_ok_at, failures, failing_since, old_secret_until: oldSecretUntil } = webhook;
  return (
    <Card title={t("details")}>
      <KeyValue
        items={[
          {
            key: "events",
            label: t("column.events"),
            value:
              events.length === 0
                ? t("field.all")
                : formatList(events.map((type) => t(`event.${eventMessageKey(type)}`))),
          },
          {
            key: "ok",
            label: t("column.lastOk"),
            value: last_ok_at ? <Time value={last_ok_at} /> : t("never"),
          },
          {
            key: "failures",
            label: t("column.failures"),
            value: (
              <span className="inline-flex flex-wrap gap-x-2">
                <FormattedNumber value={failures} />
                {failing_since ? (
                  <span className="text-fg-muted">
                    {t.rich("since", { time: () => <Time value={failing_since} show="dateTime" /> })}
                  </span>
                ) : null}
              </span>
            ),
          },
          {
            key: "secret",
            label: t("column.secret"),
            value: (
              <span className="inline-flex flex-wrap gap-x-2">
                <Ltr mono>{`whsec_…${webhook.secret_last_four}`}</Ltr>
                {oldSecretUntil ? (
                  <span className="text-fg-muted">
                    {t.rich("secret.until", { time: () => <Time value={oldSecretUntil} show="dateTime" /> })}
                  </span>
                ) : null}
              </span>
            ),
            action: <RenewSecret webhookId={webhook.id} />,
          },
          {
            key: "created",
            label: t("column.created"),
            value: <Time value={webhook.created_at} show="date" />,
          },
        ]}
      />
    </Card>
  );
}
