import { log } from "@/server/core/log";
import type { Sql } from "@/server/core/sql";
import { MINUTE } from "@/server/core/time";
import { pool } from "@/server/infrastructure/database/client";
import { createSqlTag } from "@/server/infrastructure/database/statement";

const WRITE_INTERVAL_MS = MINUTE;
const QUARTER = 15 * MINUTE;

interface Tally {
  task: string;
  hour: Date;
  runs: number;
  failures: number;
  sum: number;
  max: number;
}

/** Counts this process's job runs by task and quarter of an hour, and adds them to `job_stats` every minute. */
export class JobHistory {
  private startTimes = new Map<string, number>();
  private tallies = new Map<string, Tally>();
  private writeTimer?: NodeJS.Timeout;
  private lastWrite: Promise<void> = Promise.resolve();

  constructor(private readonly sql: Sql = createSqlTag(pool())) {}

  /** `now` is from a monotonic clock, in milliseconds. */
  recordStart(jobId: string, now = performance.now()): void {
    this.startTimes.set(jobId, now);
  }

  recordEnd(
    { id, task, failed }: { id: string; task: string; failed: boolean },
    { now = performance.now(), at = Date.now() } = {},
  ): void {
    const durationMs = Math.max(0, Math.round(now - (this.startTimes.get(id) ?? now)));
    this.startTimes.delete(id);
    const hour = new Date(at - (at % QUARTER));
    this.addTally({ task, hour, runs: 1, failures: failed ? 1 : 0, sum: durationMs, max: durationMs });
  }

  private addTally(addition: Tally): void {
    const tallyKey = `${addition.hour.getTime()} ${addition.task}`;
    const tally = this.tallies.get(tallyKey);
    if (!tally) return void this.tallies.set(tallyKey, addition);
    tally.runs += addition.runs;
    tally.failures += addition.failures;
    tally.sum += addition.sum;
    tally.max = Math.max(tally.max, addition.max);
  }

  start(): void {
    const writeNow = () => {
      this.lastWrite = this.writeTallies();
    };
    this.writeTimer = setInterval(writeNow, WRITE_INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.writeTimer);
    await this.lastWrite;
    await this.writeTallies();
  }

  /** Adds the counts to the stored ones; after an error, retries with the next write. */
  async writeTallies(): Promise<void> {
    const batch = [...this.tallies.values()];
    if (batch.length === 0) return;
    this.tallies.clear();
    const listField = <F extends keyof Tally>(field: F) => batch.map((each) => each[field]);
    await this.sql`
      insert into job_stats (task, hour, runs, failures, ms_sum, ms_max)
      select * from unnest(${listField("task")}::text[], ${listField("hour").map((hour) => hour.toISOString())}::timestamptz[],
                           ${listField("runs")}::int[], ${listField("failures")}::int[], ${listField("sum")}::bigint[], ${listField("max")}::int[])
                 as m(task, hour, runs, failures, ms_sum, ms_max) order by task, hour
      on conflict (task, hour) do update
         set runs = job_stats.runs + excluded.runs, failures = job_stats.failures + excluded.failures,
             ms_sum = job_stats.ms_sum + excluded.ms_sum, ms_max = greatest(job_stats.ms_max, excluded.ms_max)`.catch(
      (error: Error) => {
        for (const each of batch) this.addTally(each);
        log.warn({ event: "jobs.history_failed", reason: error.message });
      },
    );
  }
}
