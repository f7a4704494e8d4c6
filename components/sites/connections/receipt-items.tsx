"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Receipt } from "./types";

const TONE_BY_STATE = {
  ok: "success",
  failed: "danger",
  refused: "neutral",
  queued: "info",
  running: "info",
} as const;

export function ReceiptItems({ items }: { items: Receipt["items"] }) {
  const t = useTranslations("connections");
  return (
    <ul className="flex flex-col gap-4">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items never move, and a connection can occur twice
        <li key={index}>
          <Card
            title={<bdi className="wrap-anywhere">{item.label || `${item.channel} ${item.id}`}</bdi>}
            actions={
              <StatusChip tone={TONE_BY_STATE[item.state]}>
                {t(item.ok ? "result.ok" : `result.${item.reason ?? "running"}`)}
              </StatusChip>
            }
          >
            {item.calls.length === 0 ? (
              <p className="text-fg-muted text-sm">{t("receipt.noCalls")}</p>
            ) : (
              <ol className="flex flex-col gap-2 text-sm">
                {item.calls.map((call) => (
                  <li
                    key={`${call.at}${call.call}`}
                    className="grid gap-x-3 gap-y-1 sm:grid-cols-[9rem_minmax(0,1fr)]"
                  >
                    <span className="font-medium">{t(`step.${call.step as "clear"}`)}</span>
                    <span className="flex flex-wrap gap-x-3 gap-y-1">
                      <span className="wrap-anywhere">
                        <Ltr mono>{call.call}</Ltr>
                      </span>
                      {call.status ? <Ltr mono>{call.status}</Ltr> : null}
                      <span className="text-fg-muted">{t(`outcome.${call.outcome as "ok"}`)}</span>
                      {call.code ? (
                        <span className="wrap-anywhere text-fg-muted">
                          <bdi>{call.code}</bdi>
                        </span>
                      ) : null}
                      <span className="text-fg-muted">
                        <Time value={call.at} show="dateTime" />
                      </span>
                    </span>
                  </li>
                ))}
              </ol>
            )}
          </Card>
        </li>
      ))}
    </ul>
  );
}
