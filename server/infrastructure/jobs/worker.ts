import { EventEmitter } from "node:events";
import { Logger, type Runner, run, runMigrations, type TaskList, type WorkerEvents } from "graphile-worker";
import { getRegisteredDomains } from "@/server/core/domain";
import { log } from "@/server/core/log";
import { SECOND } from "@/server/core/time";
import { directPool, pool } from "@/server/infrastructure/database/client";
import { createSqlTag } from "@/server/infrastructure/database/statement";
import {
  JOB_STATEMENT_TIMEOUT_MS,
  withStatementTimeout,
} from "@/server/infrastructure/database/statement-timeout";
import { trackOperation } from "../stall-watch";
import { withSpan } from "../tracing/trace";
import { JobHistory } from "./history";
import { TRACEPARENT_KEY } from "./queue";
import { WorkerHeartbeat } from "./worker-heartbeat";
import { setWorkerStopping } from "./worker-stopping";

const logger = new Logger(() => (level, message) => {
  if (level === "error") log.error({ event: "jobs", message });
  else if (level === "warning") log.warn({ event: "jobs", message });
});

export async function migrateJobQueue(): Promise<void> {
  await runMigrations({ pgPool: directPool(), logger });
}

/** Frees jobs locked `minutes` ago by workers without a heartbeat, such as those of an older release. */
export async function unlockAbandonedJobs(minutes: number): Promise<void> {
  await createSqlTag(pool())`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs
       where locked_by is not null and locked_at <= now() - make_interval(mins => ${minutes})
         and not exists (select 1 from job_workers where id = locked_by)))`;
}

/** Frees all locked jobs. Only safe if no worker is running. */
export async function unlockAllJobs(): Promise<void> {
  await createSqlTag(pool())`
    with gone as (delete from job_workers)
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs where locked_by is not null))`;
}

export function buildTaskList(): TaskList {
  return Object.fromEntries(
    listJobs().map(([name, { run }]) => [
      name,
      (input) => {
        const { [TRACEPARENT_KEY]: parent, ...payload } = (input ?? {}) as { [TRACEPARENT_KEY]?: string };
        return withSpan({ name: `job ${name}`, kind: "consumer", parent }, () =>
          trackOperation(name, () => withStatementTimeout(JOB_STATEMENT_TIMEOUT_MS, () => run(payload))),
        );
      },
    ]),
  ) as TaskList;
}

function buildCrontab(): string {
  return listJobs()
    .flatMap(([name, { schedule }]) =>
      schedule ? [`${schedule.cron} ${name}${schedule.catchUp ? ` ?fill=${schedule.catchUp}` : ""}`] : [],
    )
    .join("\n");
}

function listJobs() {
  return getRegisteredDomains().flatMap((domain) => Object.entries(domain.jobs ?? {}));
}

export async function startWorker(): Promise<Runner> {
  setWorkerStopping(false);
  const events: WorkerEvents = new EventEmitter();
  const history = new JobHistory();
  let heartbeat: WorkerHeartbeat | undefined;
  events.once("pool:create", ({ workerPool }) => {
    heartbeat = new WorkerHeartbeat(workerPool.id);
    heartbeat.start();
  });
  events.on("job:start", ({ job }) => {
    heartbeat?.addRunningJob(job.id);
    history.recordStart(job.id);
  });
  events.on("job:complete", ({ job, error }) => {
    heartbeat?.removeRunningJob(job.id);
    history.recordEnd({ id: job.id, task: job.task_identifier, failed: Boolean(error) });
  });
  history.start();
  const runner = await run({
    pgPool: directPool(),
    events,
    logger,
    // Invoices use up to four.
    concurrency: 6,
    // New jobs are announced by NOTIFY; polling is for scheduled ones.
    pollInterval: 5 * SECOND,
    noHandleSignals: true,
    taskList: buildTaskList(),
    crontab: buildCrontab(),
  });
  const stopRunner = runner.stop.bind(runner);
  return Object.assign(runner, {
    stop: async (reason?: string) => {
      setWorkerStopping(true);
      await stopRunner(reason);
      await history.stop();
      await heartbeat
        ?.stop()
        .catch((error: Error) => log.warn({ event: "jobs.end_failed", reason: error.message }));
    },
  });
}
