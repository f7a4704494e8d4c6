"use client";

import { RotateCcw } from "lucide-react";
import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Drawer } from "@/components/ui/drawer";
import { KeyValue } from "@/components/ui/key-value";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import { DeliveryState } from "./delivery-state";
import { eventMessageKey } from "./event-message-key";
import type { Delivery } from "./types";

/** Name of the record that the event is about. */
function getDeliverySubject({ payload }: Pick<Delivery, "payload">): string | undefined {
  const data = (payload.data ?? {}) as Record<string, unknown>;
  const subject = [data.domain, data.label, data.plan, data.number].find(
    (value) => typeof value === "string" && value !== "",
  );
  return subject as string | undefined;
}

/** Name of a delivery that opens its details. */
export function DeliveryDrawer({
  delivery,
  isWebhookActive,
}: {
  delivery: Delivery;
  isWebhookActive: boolean;
}) {
  const t = useTranslations("webhooks");
  const utils = api.useUtils();
  const replay = useAction(() => call.webhooks.replay.mutate({ params: { id: String(delivery.id) } }), {
    onSuccess: () => utils.webhooks.deliveries.invalidate(),
  });
  const {
    type,
    state,
    webhook_id: eventId,
    next_attempt_at: nextAttemptAt,
    created_at: createdAt,
    payload,
  } = delivery;
  const subject = getDeliverySubject(delivery);
  return (
    <Drawer
      trigger={
        <button
          type="button"
          className="wrap-anywhere rounded-control text-start hover:text-primary-text hover:underline hover:underline-offset-4"
        >
          <span>{t(`event.${eventMessageKey(type)}`)}</span>
          {subject ? (
            <span>
              {" · "}
              <bdi>{subject}</bdi>
            </span>
          ) : null}
        </button>
      }
      title={t(`event.${eventMessageKey(type)}`)}
      footer={
        isWebhookActive ? (
          <Button icon={<RotateCcw />} working={replay.isPending} onClick={() => replay.run()}>
            {t("deliveries.replay")}
          </Button>
        ) : undefined
      }
    >
      <div className="flex flex-col gap-6">
        <KeyValue
          items={[
            { key: "state", label: t("column.state"), value: <DeliveryState state={state} /> },
            { key: "type", label: t("deliveries.event"), value: <Ltr mono>{type}</Ltr> },
            { key: "id", label: t("deliveries.id"), value: <Ltr mono>{eventId}</Ltr> },
            { key: "at", label: t("deliveries.at"), value: <Time value={createdAt} show="dateTime" /> },
          ]}
        />
        <section>
          <h3 className="mb-2 font-medium text-sm">{t("deliveries.attempts")}</h3>
          {nextAttemptAt && state === "waiting" ? (
            <p className="mb-2 text-fg-muted text-sm">
              {t.rich("deliveries.next", { time: () => <Time value={nextAttemptAt} /> })}
            </p>
          ) : null}
          <Attempts delivery={delivery} />
        </section>
        <CodeBlock title={t("deliveries.payload")} code={JSON.stringify(payload, null, 2)} />
      </div>
    </Drawer>
  );
}

function Attempts({ delivery: { attempts } }: { delivery: Delivery }) {
  const t = useTranslations("webhooks");
  const { number: formatNumber } = useFormat();
  if (attempts.length === 0) return <p className="text-fg-muted text-sm">{t("deliveries.noAttempts")}</p>;
  return (
    <ul className="divide-y divide-border border-border border-y text-sm">
      {attempts.map(({ at, error, status_code: statusCode, duration_ms: durationMs }) => (
        <li key={at} className="flex flex-col gap-1 py-2">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">
              {[error ? t(`failureShort.${error}`) : t("deliveries.done"), statusCode]
                .filter(Boolean)
                .join(" · ")}
            </span>
            <span className="flex gap-x-3 text-fg-muted">
              <span className="tabular-nums">{t("attempt", { ms: formatNumber(durationMs) })}</span>
              <Time value={at} />
            </span>
          </span>
          {error ? <span className="text-fg-muted">{t(`failure.${error}`)}</span> : null}
        </li>
      ))}
    </ul>
  );
}
