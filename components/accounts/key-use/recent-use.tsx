"use client";

import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import { useNow } from "@/components/ui/use-now";
import type { RecentUse as Figures } from "./types";

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Days without a call after which a hint stands beside a key. */
const STALE_DAYS = 60;

/** Calls and addresses of the last seven days, in a column. */
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

/** The same as a sentence, for whoever is about to end the key. */
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

/** A hint beside a key that nobody has used for 60 days. Nothing ends by itself. */
export function StaleKey({ since }: { since: string }) {
  const t = useTranslations("keyUse");
  const now = useNow(HOUR);
  const days = now === null ? 0 : Math.floor((now - new Date(since).getTime()) / DAY);
  if (days < STALE_DAYS) return null;
  return (
    <span className="flex flex-col items-start gap-1">
      <StatusChip tone="warning">{t("stale", { count: days })}</StatusChip>
      <span className="text-caption text-fg-muted">{t("staleHint")}</span>
    </span>
  );
}
