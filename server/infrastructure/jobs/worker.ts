import { Logger, type Runner, run, runMigrations, type TaskList } from "graphile-worker";
import { declared } from "@/server/core/domain";
import { log } from "@/server/core/log";
import { pool } from "@/server/infrastructure/database/client";
import { statementsOn } from "@/server/infrastructure/database/sql";

const logger = new Logger(() => (level, message) => {
  if (level === "error") log.error({ event: "jobs", message });
  else if (level === "warning") log.warn({ event: "jobs", message });
});

/** Brings the queue's own tables up to date. */
export async function migrateJobs(): Promise<void> {
  await runMigrations({ pgPool: pool(), logger });
}

/**
 * Frees jobs that a killed worker took and never finished; the queue itself would wait four hours. `minutes` is how
 * long ago a job must have been taken: none of our jobs runs for ten.
 */
export async function releaseJobs(minutes: number): Promise<void> {
  await statementsOn(pool())`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs
       where locked_by is not null and locked_at <= now() - make_interval(mins => ${minutes})))`;
}

/** Returns the function of each declared job, by the job's name. */
export function taskList(): TaskList {
  return Object.fromEntries(jobs().map(([name, { run }]) => [name, run])) as TaskList;
}

/** Returns the schedule of recurring jobs, in the queue's format. */
function crontab(): string {
  return jobs()
    .flatMap(([name, { schedule }]) =>
      schedule ? [`${schedule.cron} ${name}${schedule.fill ? ` ?fill=${schedule.fill}` : ""}`] : [],
    )
    .join("\n");
}

function jobs() {
  return declared().flatMap((domain) => Object.entries(domain.jobs ?? {}));
}

/** Starts performing jobs in this process. `stop()` lets running jobs finish. */
export async function startWorker(): Promise<Runner> {
  return run({
    pgPool: pool(),
    logger,
    concurrency: 4,
    pollInterval: 1000,
    noHandleSignals: true,
    taskList: taskList(),
    crontab: crontab(),
  });
}
