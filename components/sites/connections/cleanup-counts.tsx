import { useTranslations } from "next-intl";
import type { CleanupReceipt } from "./types";

const COUNT_KINDS = ["ok", "refused", "failed", "open"] as const;

export function CleanupCounts({ counts }: Pick<CleanupReceipt, "counts">) {
  const t = useTranslations("connections.receipts.counts");
  const shownKinds = COUNT_KINDS.filter((kind) => counts[kind] > 0);
  return shownKinds.map((kind) => t(kind, { count: counts[kind] })).join(" · ");
}
