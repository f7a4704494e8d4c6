"use client";

import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { useNow } from "@/components/ui/use-now";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const WARNING_DAYS = 7;

export function KeyExpiry({ expiresAt }: { expiresAt: string | null }) {
  const t = useTranslations("keys");
  const now = useNow(MINUTE_MS);
  if (expiresAt === null) return <StatusChip tone="warning">{t("never")}</StatusChip>;
  if (now === null) return <Time value={expiresAt} show="date" />;
  // The browser's clock may be a minute behind the server's.
  const days = Math.max(0, Math.ceil((new Date(expiresAt).getTime() - now - MINUTE_MS) / DAY_MS));
  const daysText = t("days", { count: days });
  return (
    <span className="flex flex-col items-start gap-0.5">
      <Time value={expiresAt} show="date" />
      {days <= WARNING_DAYS ? (
        <StatusChip tone="warning">{daysText}</StatusChip>
      ) : (
        <span className="whitespace-nowrap text-compact text-fg-muted">{daysText}</span>
      )}
    </span>
  );
}
