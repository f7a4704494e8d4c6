import type * as z from "zod";
import type { CleanupItem } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { CleanupResult } from "../contract";

export type CleanupItemResult = z.output<typeof CleanupResult>;

type ItemRow = Pick<CleanupItem, "channel" | "connectionId" | "state" | "reason" | "tokenDead" | "nextAt">;

/** Returns an item as the API's result. Open items have the reason `running`; jobs complete them. */
export function toItemResult({
  channel,
  connectionId,
  state,
  reason,
  tokenDead,
  nextAt,
}: ItemRow): CleanupItemResult {
  const result = { channel, id: Number(connectionId) };
  if (state === "ok") return { ...result, ok: true, ...(tokenDead && { token_dead: true }) };
  if (state === "queued" || state === "running")
    return { ...result, ok: false, reason: "running", retryable: true };
  const isRetryable = nextAt !== null || reason === "running" || reason === "remote_failed";
  return {
    ...result,
    ok: false,
    reason: (reason ?? "remote_failed") as CleanupItemResult["reason"],
    ...(isRetryable && { retryable: true }),
  };
}

export async function listItemResults(
  { db }: Pick<DbAccess, "db">,
  runId: string,
): Promise<CleanupItemResult[]> {
  const rows = await db.cleanupItem.findMany({
    where: { runId },
    orderBy: { position: "asc" },
    select: {
      channel: true,
      connectionId: true,
      state: true,
      reason: true,
      tokenDead: true,
      nextAt: true,
    },
  });
  return rows.map(toItemResult);
}

export function toCleanedCountField(results: CleanupItemResult[]) {
  return { cleaned_count: results.filter(({ ok }) => ok).length };
}
