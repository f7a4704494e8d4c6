import { useTranslations } from "next-intl";
import type { Receipt } from "./types";

const KINDS = ["ok", "refused", "failed", "open"] as const;

export function CleanupCounts({ counts }: Pick<Receipt, "counts">) {
  const t = useTranslations("connections.receipts.counts");
  const kinds = KINDS.filter((kind) => counts[kind] > 0);
  return kinds.map((kind) => t(kind, { count: counts[kind] })).join(" · ");
}
