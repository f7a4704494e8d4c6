import { log } from "@/server/core/log";
import type { Sql } from "@/server/core/sql";
import { SECOND } from "@/server/core/time";
import { pool } from "@/server/infrastructure/database/client";
import { createSqlTag } from "@/server/infrastructure/database/statement";

const BEAT_INTERVAL_MS = 5 * SECOND;

/** A worker without a heartbeat for this long was killed, hangs or lost the database. */
const DEAD_AFTER_MS = 30 * SECOND;

/** Heartbeat that frees abandoned jobs, for which the queue itself would wait four hours. */
export class WorkerHeartbeat {
  private runningJobIds = new Set<string>();
  /** Own jobs that were locked but not running at the last beat; at the second one they are freed. */
  private suspectedJobIds = new Set<string>();
  private lastBeatAt = Number.NEGATIVE_INFINITY;
  private uninterruptedSince = Number.NEGATIVE_INFINITY;
  private beatTimer?: NodeJS.Timeout;

  constructor(
    readonly workerId: string,
    private readonly sql: Sql = createSqlTag(pool()),
  ) {}

  addRunningJob(jobId: string): void {
    this.runningJobIds.add(jobId);
  }

  removeRunningJob(jobId: string): void {
    this.runningJobIds.delete(jobId);
  }

  start(): void {
    const beatAndReschedule = async () => {
      await this.beat(performance.now()).catch((error: Error) => {
        this.lastBeatAt = Number.NEGATIVE_INFINITY;
        log.warn({ event: "jobs.beat_failed", reason: error.message });
      });
      if (this.beatTimer) this.beatTimer = setTimeout(beatAndReschedule, BEAT_INTERVAL_MS).unref();
    };
    this.beatTimer = setTimeout(beatAndReschedule, 0).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.beatTimer);
    this.beatTimer = undefined;
    await this.sql`delete from job_workers where id = ${this.workerId}`;
  }

  /** Writes the heartbeat and frees abandoned jobs of this worker and of dead ones. `now` in milliseconds. */
  async beat(now: number): Promise<void> {
    // After a pause of this process or the database, other workers may not have written a heartbeat yet.
    if (now - this.lastBeatAt > 3 * BEAT_INTERVAL_MS) this.uninterruptedSince = now;
    await this.sql`
      insert into job_workers (id, seen_at) values (${this.workerId}, now())
      on conflict (id) do update set seen_at = excluded.seen_at`;
    await this.freeOwnJobs();
    if (now - this.uninterruptedSince >= DEAD_AFTER_MS) await this.freeJobsOfDeadWorkers();
    this.lastBeatAt = now;
  }

  private async freeOwnJobs(): Promise<void> {
    const lockedJobs = await this.sql<{ id: string }>`
      select id::text from graphile_worker.jobs where locked_by = ${this.workerId}`;
    const idleIds = lockedJobs.map(({ id }) => id).filter((id) => !this.runningJobIds.has(id));
    const lostIds = idleIds.filter((id) => this.suspectedJobIds.has(id));
    this.suspectedJobIds = new Set(idleIds);
    if (lostIds.length === 0) return;
    await this.sql`
      update graphile_worker._private_jobs set locked_at = null, locked_by = null
       where id = any(${lostIds}::bigint[]) and locked_by = ${this.workerId}`;
    log.warn({ event: "jobs.lost", jobs: lostIds });
  }

  private async freeJobsOfDeadWorkers(): Promise<void> {
    const [result] = await this.sql<{ workers: string[] | null }>`
      with dead as (
        delete from job_workers where seen_at < now() - make_interval(secs => ${DEAD_AFTER_MS / SECOND}) returning id
      ), names as (select array_agg(id) as workers from dead)
      select workers, graphile_worker.force_unlock_workers(workers) from names`;
    if (result?.workers) log.warn({ event: "jobs.worker_died", workers: result.workers });
  }
}
