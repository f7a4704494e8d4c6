"use client";

import { Clock3 } from "lucide-react";
import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import { useNow } from "@/components/ui/use-now";
import { STATES_WITH_DEADLINE } from "@/server/domains/billing/accounting/policy";
import type { Invoice } from "./types";

const HOUR_MS = 60 * 60 * 1000;

/** Returns the number of the day in Turkey (UTC+3), where the legal deadline applies. */
const getTurkishDayNumber = (moment: number) => Math.floor((moment + 3 * HOUR_MS) / (24 * HOUR_MS));

const OPEN_STATES = new Set<string>(STATES_WITH_DEADLINE);

export const hasRunningDeadline = ({ state }: Pick<Invoice, "state">) => OPEN_STATES.has(state);

export function DeadlineChip({ invoice }: { invoice: Pick<Invoice, "state" | "deadline_at" | "is_late"> }) {
  const t = useTranslations("accounting.clock");
  const now = useNow(60_000);
  if (!hasRunningDeadline(invoice)) return <span className="text-fg-muted text-sm">{t("stopped")}</span>;
  const deadlineMs = Date.parse(invoice.deadline_at);
  const isLate = now === null ? invoice.is_late : deadlineMs < now;
  const days = Math.abs(getTurkishDayNumber(deadlineMs) - getTurkishDayNumber(now ?? deadlineMs));
  const tone = isLate ? "danger" : days <= 2 ? "warning" : "neutral";
  return (
    <span suppressHydrationWarning className={now === null ? "invisible" : undefined}>
      <StatusChip tone={tone} icon={tone === "neutral" ? <Clock3 /> : undefined}>
        {t(isLate ? "late" : "due", { days })}
      </StatusChip>
    </span>
  );
}
