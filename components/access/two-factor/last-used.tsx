"use client";

import { useTranslations } from "next-intl";
import { Time } from "@/components/ui/time";
import type { FactorMethod } from "./types";

export function LastUsed({ method }: { method: FactorMethod }) {
  const t = useTranslations("security");
  const { last_used_at: used, confirmed_at: since } = method;
  if (used) return t.rich("lastUsed", { time: () => <Time value={used} /> });
  return since ? t.rich("since", { time: () => <Time value={since} /> }) : null;
}
