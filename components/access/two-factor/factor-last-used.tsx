"use client";

import { useTranslations } from "next-intl";
import { Time } from "@/components/ui/time";
import type { FactorMethod } from "./types";

export function FactorLastUsed({ method }: { method: FactorMethod }) {
  const t = useTranslations("security");
  const { last_used_at: lastUsedAt, confirmed_at: confirmedAt } = method;
  if (lastUsedAt) return t.rich("lastUsed", { time: () => <Time value={lastUsedAt} /> });
  return confirmedAt ? t.rich("since", { time: () => <Time value={confirmedAt} show="date" /> }) : null;
}
