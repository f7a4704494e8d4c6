import type * as z from "zod";
import type { CleanupItem } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { CleanupResult } from "../contract";

export type Result = z.output<typeof CleanupResult>;

type Row = Pick<CleanupItem, "channel" | "connectionId" | "state" | "reason" | "tokenDead" | "nextAt">;

/** Returns an item in the API's form. Open items count as `running` and are retried by jobs. */
export function resultOf({ channel, connectionId, state, reason, tokenDead, nextAt }: Row): Result {
  const result = { channel, id: Number(connectionId) };
  if (state === "ok") return { ...result, ok: true, ...(tokenDead && { token_dead: true }) };
  if (state === "queued" || state === "running")
    return { ...result, ok: false, reason: "running", retryable: true };
  const retryable = nextAt !== null || reason === "running" || reason === "remote_failed";
  return {
    ...result,
    ok: false,
    reason: (reason ?? "remote_failed") as Result["reason"],
    ...(retryable && { retryable: true }),
  };
}

export async function resultsOf({ db }: Pick<DbAccess, "db">, runId: string): Promise<Result[]> {
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
  return rows.map(resultOf);
}

export function countsOf(results: Result[]) {
  return { cleaned_count: results.filter(({ ok }) => ok).length };
}
