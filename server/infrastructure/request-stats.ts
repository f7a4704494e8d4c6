import { log } from "@/server/core/log";
import { type RequestTotals, readRequestTotals } from "@/server/core/metrics";
import { getErrorReason } from "@/server/core/redact";
import type { Sql } from "@/server/core/sql";
import { MINUTE } from "@/server/core/time";
import { pool } from "./database/client";
import { createSqlTag } from "./database/statement";

const WRITE_INTERVAL_MS = MINUTE;
const SLOT_MS = 5 * MINUTE;

/** Adds this process's API requests to `request_stats` every minute, from the counters of its metrics. */
export class RequestStats {
  private written: RequestTotals = { byStatus: new Map(), durations: [] };
  private writeTimer?: NodeJS.Timeout;
  private lastWrite: Promise<void> = Promise.resolve();

  constructor(private readonly sql: Sql = createSqlTag(pool())) {}

  start(): void {
    this.writeTimer = setInterval(() => void this.write(), WRITE_INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.writeTimer);
    await this.write();
  }

  /** Adds the requests since the last write; after an error, the next write adds them. */
  write(now = Date.now()): Promise<void> {
    this.lastWrite = this.lastWrite.then(() => this.writeDifference(now));
    return this.lastWrite;
  }

  private async writeDifference(now: number): Promise<void> {
    const totals = await readRequestTotals();
    const counts = { succeeded: 0, rejected: 0, throttled: 0, failed: 0 };
    for (const [status, count] of totals.byStatus)
      counts[toOutcome(status)] += count - (this.written.byStatus.get(status) ?? 0);
    const durations = totals.durations.map((count, index) => count - (this.written.durations[index] ?? 0));
    if (durations.every((count) => count === 0)) return;
    const at = new Date(now - (now % SLOT_MS));
    try {
      await this.sql`
        insert into request_stats as s (at, succeeded, rejected, throttled, failed, durations)
        values (${at}, ${counts.succeeded}, ${counts.rejected}, ${counts.throttled}, ${counts.failed}, ${durations}::int[])
        on conflict (at) do update
           set succeeded = s.succeeded + excluded.succeeded, rejected = s.rejected + excluded.rejected,
               throttled = s.throttled + excluded.throttled, failed = s.failed + excluded.failed,
               durations = array(select coalesce(a, 0) + coalesce(b, 0)
                                   from unnest(s.durations, excluded.durations) with ordinality as d(a, b, position)
                                  order by position)`;
      this.written = totals;
    } catch (error) {
      log.warn({ event: "request_stats.not_written", reason: getErrorReason(error) });
    }
  }
}

function toOutcome(status: number): "succeeded" | "rejected" | "throttled" | "failed" {
  if (status === 429) return "throttled";
  if (status >= 500) return "failed";
  return status >= 400 ? "rejected" : "succeeded";
}
