"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { CleanupReceipt } from "./types";

const TONE_BY_STATE = {
  ok: "success",
  failed: "danger",
  refused: "neutral",
  queued: "info",
  running: "info",
} as const;

/** Items of a clean-up receipt. The text is more specific than the tone: it names the reason of a failure. */
export function CleanupReceiptItems({ items }: { items: CleanupReceipt["items"] }) {
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
                {item.calls.map((providerCall) => (
                  <li
                    key={`${providerCall.at}${providerCall.call}`}
                    className="grid gap-x-3 gap-y-1 sm:grid-cols-[9rem_minmax(0,1fr)]"
                  >
                    <span className="font-medium">{t(`step.${providerCall.step as "clear"}`)}</span>
                    <span className="flex flex-wrap gap-x-3 gap-y-1">
                      <span className="wrap-anywhere">
                        <Ltr mono>{providerCall.call}</Ltr>
                      </span>
                      {providerCall.status ? <Ltr mono>{providerCall.status}</Ltr> : null}
                      <span className="text-fg-muted">{t(`outcome.${providerCall.outcome as "ok"}`)}</span>
                      {providerCall.code ? (
                        <span className="wrap-anywhere text-fg-muted">
                          <bdi>{providerCall.code}</bdi>
                        </span>
                      ) : null}
                      <span className="text-fg-muted">
                        <Time value={providerCall.at} show="dateTime" />
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
