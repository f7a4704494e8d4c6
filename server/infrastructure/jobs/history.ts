import { log } from "@/server/core/log";
import type { Sql } from "@/server/core/sql";
import { HOUR, MINUTE } from "@/server/core/time";
import { pool } from "@/server/infrastructure/database/client";
import { statementsOn } from "@/server/infrastructure/database/statement";

/** How often what was counted is written. */
const PERIOD = MINUTE;

/** Runs of one task within one hour; times in milliseconds. */
interface Tally {
  task: string;
  hour: Date;
  runs: number;
  failures: number;
  sum: number;
  max: number;
}

/** Counts the runs of this process's jobs, by task and hour, and adds them to `job_stats` every minute. */
export class JobHistory {
  private begun = new Map<string, number>();
  private tallies = new Map<string, Tally>();
  private clock?: NodeJS.Timeout;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly sql: Sql = statementsOn(pool())) {}

  /** `now` in milliseconds, on a clock that never goes back. */
  started(job: string, now = performance.now()): void {
    this.begun.set(job, now);
  }

  /** A job has come to its end, in this hour. */
  ended(
    { id, task, failed }: { id: string; task: string; failed: boolean },
    { now = performance.now(), at = Date.now() } = {},
  ): void {
    const ms = Math.max(0, Math.round(now - (this.begun.get(id) ?? now)));
    this.begun.delete(id);
    const hour = new Date(at - (at % HOUR));
    this.add({ task, hour, runs: 1, failures: failed ? 1 : 0, sum: ms, max: ms });
  }

  private add(more: Tally): void {
    const key = `${more.hour.getTime()} ${more.task}`;
    const found = this.tallies.get(key);
    if (!found) return void this.tallies.set(key, more);
    found.runs += more.runs;
    found.failures += more.failures;
    found.sum += more.sum;
    found.max = Math.max(found.max, more.max);
  }

  /** Writes every minute until {@link end}. */
  begin(): void {
    const next = () => {
      this.last = this.write();
    };
    this.clock = setInterval(next, PERIOD).unref();
  }

  /** Writes what is left. */
  async end(): Promise<void> {
    clearInterval(this.clock);
    await this.last;
    await this.write();
  }

  /** Adds what was counted to what is stored; while the database is away, it is kept for the next time. */
  async write(): Promise<void> {
    const taken = [...this.tallies.values()];
    if (taken.length === 0) return;
    this.tallies.clear();
    const of = <F extends keyof Tally>(field: F) => taken.map((each) => each[field]);
    await this.sql`
      insert into job_stats (task, hour, runs, failures, ms_sum, ms_max)
      select * from unnest(${of("task")}::text[], ${of("hour").map((hour) => hour.toISOString())}::timestamptz[],
                           ${of("runs")}::int[], ${of("failures")}::int[], ${of("sum")}::bigint[], ${of("max")}::int[])
                 as m(task, hour, runs, failures, ms_sum, ms_max) order by task, hour
      on conflict (task, hour) do update
         set runs = job_stats.runs + excluded.runs, failures = job_stats.failures + excluded.failures,
             ms_sum = job_stats.ms_sum + excluded.ms_sum, ms_max = greatest(job_stats.ms_max, excluded.ms_max)`.catch(
      (error: Error) => {
        for (const each of taken) this.add(each);
        log.warn({ event: "jobs.history_failed", reason: error.message });
      },
    );
  }
}
