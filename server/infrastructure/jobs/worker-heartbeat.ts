import { log } from "@/server/core/log";
import type { Sql } from "@/server/core/sql";
import { SECOND } from "@/server/core/time";
import { pool } from "@/server/infrastructure/database/client";
import { statementsOn } from "@/server/infrastructure/database/statement";

const BEAT = 5 * SECOND;

/** A worker without a heartbeat for this long was killed, hangs or lost the database. */
const DEAD_AFTER = 30 * SECOND;

/** Heartbeat that frees abandoned jobs, for which the queue itself would wait four hours. */
export class WorkerHeartbeat {
  private active = new Set<string>();
  /** Own jobs that were locked but not running at the last beat; at the second one they are freed. */
  private suspects = new Set<string>();
  private lastBeat = Number.NEGATIVE_INFINITY;
  private steadySince = Number.NEGATIVE_INFINITY;
  private clock?: NodeJS.Timeout;

  constructor(
    readonly worker: string,
    private readonly sql: Sql = statementsOn(pool()),
  ) {}

  started(job: string): void {
    this.active.add(job);
  }

  ended(job: string): void {
    this.active.delete(job);
  }

  begin(): void {
    const next = async () => {
      await this.beat(performance.now()).catch((error: Error) => {
        this.lastBeat = Number.NEGATIVE_INFINITY;
        log.warn({ event: "jobs.beat_failed", reason: error.message });
      });
      if (this.clock) this.clock = setTimeout(next, BEAT).unref();
    };
    this.clock = setTimeout(next, 0).unref();
  }

  /** Removes the heartbeat of a worker that stops regularly. */
  async end(): Promise<void> {
    clearTimeout(this.clock);
    this.clock = undefined;
    await this.sql`delete from job_workers where id = ${this.worker}`;
  }

  /** Writes the heartbeat and frees abandoned jobs of this worker and of dead ones. `now` in milliseconds. */
  async beat(now: number): Promise<void> {
    // After a pause of this process or the database, other workers may not have written a heartbeat yet.
    if (now - this.lastBeat > 3 * BEAT) this.steadySince = now;
    await this.sql`
      insert into job_workers (id, seen_at) values (${this.worker}, now())
      on conflict (id) do update set seen_at = excluded.seen_at`;
    await this.freeOwn();
    if (now - this.steadySince >= DEAD_AFTER) await this.freeDead();
    this.lastBeat = now;
  }

  private async freeOwn(): Promise<void> {
    const held = await this.sql<{ id: string }>`
      select id::text from graphile_worker.jobs where locked_by = ${this.worker}`;
    const idle = held.map(({ id }) => id).filter((id) => !this.active.has(id));
    const lost = idle.filter((id) => this.suspects.has(id));
    this.suspects = new Set(idle);
    if (lost.length === 0) return;
    await this.sql`
      update graphile_worker._private_jobs set locked_at = null, locked_by = null
       where id = any(${lost}::bigint[]) and locked_by = ${this.worker}`;
    log.warn({ event: "jobs.lost", jobs: lost });
  }

  private async freeDead(): Promise<void> {
    const [freed] = await this.sql<{ workers: string[] | null }>`
      with dead as (
        delete from job_workers where seen_at < now() - make_interval(secs => ${DEAD_AFTER / SECOND}) returning id
      ), names as (select array_agg(id) as workers from dead)
      select workers, graphile_worker.force_unlock_workers(workers) from names`;
    if (freed?.workers) log.warn({ event: "jobs.worker_died", workers: freed.workers });
  }
}
