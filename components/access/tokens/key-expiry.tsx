"use client";

import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { useNow } from "@/components/ui/use-now";

const DAY = 86_400_000;
const MINUTE = 60_000;

/** Days. */
const SOON = 7;

export function KeyExpiry({ expiresAt }: { expiresAt: string | null }) {
  const t = useTranslations("keys");
  const now = useNow(MINUTE);
  if (expiresAt === null) return <StatusChip tone="warning">{t("never")}</StatusChip>;
  if (now === null) return <Time value={expiresAt} show="date" />;
  // The clock may be a minute behind the server's.
  const days = Math.max(0, Math.ceil((new Date(expiresAt).getTime() - now - MINUTE) / DAY));
  if (days <= SOON) return <StatusChip tone="warning">{t("days", { count: days })}</StatusChip>;
  return <span className="whitespace-nowrap">{t("days", { count: days })}</span>;
}
