import { Logger, type Runner, run, runMigrations, type TaskList } from "graphile-worker";
import { log } from "@/server/core/log";
import { pool } from "@/server/infrastructure/database/client";
import { statementsOn } from "@/server/infrastructure/database/sql";
import type { JobName, Jobs } from "./queue";

/** What performs each job. At least once: a job that died half-way is run again. */
export type Tasks = { [N in JobName]: (payload: Jobs[N]) => Promise<void> };

const logger = new Logger(() => (level, message) => {
  if (level === "error") log.error({ event: "jobs", message });
  else if (level === "warning") log.warn({ event: "jobs", message });
});

/** Brings the queue's own tables up to date. */
export async function migrateJobs(): Promise<void> {
  await runMigrations({ pgPool: pool(), logger });
}

/**
 * Frees jobs that a worker took and never finished, because it was killed. The queue itself would wait four
 * hours. `minutes` is how long ago a job must have been taken: no job of ours runs for ten.
 */
export async function releaseJobs(minutes: number): Promise<void> {
  await statementsOn(pool())`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs
       where locked_by is not null and locked_at <= now() - make_interval(mins => ${minutes})))`;
}

/** Starts performing jobs in this process. `stop()` lets running jobs end. */
export async function startWorker(tasks: Tasks): Promise<Runner> {
  return run({
    pgPool: pool(),
    logger,
    concurrency: 4,
    pollInterval: 1000,
    noHandleSignals: true,
    taskList: tasks as unknown as TaskList,
    crontab: [
      "*/15 * * * * suspend_unpaid_licences ?fill=1h",
      "17 * * * * prune ?fill=1d",
      "23 * * * * remind_of_keys ?fill=1d",
      "41 * * * * sweep_data_exports ?fill=1d",
      "47 * * * * sweep_avatars ?fill=1d",
      "*/5 * * * * release_jobs",
    ].join("\n"),
  });
}
