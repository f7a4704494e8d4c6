"use client";

import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import { useNow } from "@/components/ui/use-now";
import type { RecentUse as Figures } from "./types";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Days without calls after which a key gets a hint. */
const STALE_KEY_DAYS = 60;

export function RecentUse({ calls_7d: calls, addresses_count: addresses }: Figures) {
  const t = useTranslations("keyUse");
  if (calls === 0) return <span className="text-fg-muted">{t("none")}</span>;
  return (
    <span className="flex flex-wrap gap-x-2">
      <span className="whitespace-nowrap tabular-nums">{t("calls", { count: calls })}</span>
      <span className="whitespace-nowrap text-fg-muted">{t("addresses", { count: addresses })}</span>
    </span>
  );
}

export function RecentUseText({ calls_7d: calls, addresses_count: addresses }: Figures) {
  const t = useTranslations("keyUse");
  return (
    <p className="text-sm">
      {calls === 0
        ? t("recentNone")
        : t("recent", {
            calls: t("calls", { count: calls }),
            addresses: t("addresses", { count: addresses }),
          })}
    </p>
  );
}

/** Hint for an unused key. Unused keys do not expire. */
export function StaleKeyHint({ since }: { since: string }) {
  const t = useTranslations("keyUse");
  const now = useNow(HOUR_MS);
  const unusedDays = now === null ? 0 : Math.floor((now - new Date(since).getTime()) / DAY_MS);
  if (unusedDays < STALE_KEY_DAYS) return null;
  return (
    <span className="flex flex-col items-start gap-1">
      <StatusChip tone="warning">{t("stale", { count: unusedDays })}</StatusChip>
      <span className="text-caption text-fg-muted">{t("staleHint")}</span>
    </span>
  );
}
