import { EventEmitter } from "node:events";
import { Logger, type Runner, run, runMigrations, type TaskList, type WorkerEvents } from "graphile-worker";
import { declared } from "@/server/core/domain";
import { log } from "@/server/core/log";
import { SECOND } from "@/server/core/time";
import { directPool, pool } from "@/server/infrastructure/database/client";
import { JOB_PATIENCE, withPatience } from "@/server/infrastructure/database/patience";
import { statementsOn } from "@/server/infrastructure/database/statement";
import { watched } from "../stall-watch";
import { traced } from "../tracing/trace";
import { JobHistory } from "./history";
import { setLeaving } from "./leaving";
import { Presence } from "./presence";
import { CAUSE } from "./queue";

const logger = new Logger(() => (level, message) => {
  if (level === "error") log.error({ event: "jobs", message });
  else if (level === "warning") log.warn({ event: "jobs", message });
});

export async function migrateJobs(): Promise<void> {
  await runMigrations({ pgPool: directPool(), logger });
}

/** Frees jobs locked `minutes` ago by workers without a heartbeat, such as those of an older release. */
export async function releaseJobs(minutes: number): Promise<void> {
  await statementsOn(pool())`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs
       where locked_by is not null and locked_at <= now() - make_interval(mins => ${minutes})
         and not exists (select 1 from job_workers where id = locked_by)))`;
}

/** Frees all locked jobs. Only safe if no worker is running. */
export async function releaseAllJobs(): Promise<void> {
  await statementsOn(pool())`
    with gone as (delete from job_workers)
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker.jobs where locked_by is not null))`;
}

export function taskList(): TaskList {
  return Object.fromEntries(
    jobs().map(([name, { run }]) => [
      name,
      (input) => {
        const { [CAUSE]: cause, ...payload } = (input ?? {}) as { [CAUSE]?: string };
        return traced({ name: `job ${name}`, kind: "consumer", cause }, () =>
          watched(name, () => withPatience(JOB_PATIENCE, () => run(payload))),
        );
      },
    ]),
  ) as TaskList;
}

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

export async function startWorker(): Promise<Runner> {
  setLeaving(false);
  const events: WorkerEvents = new EventEmitter();
  const history = new JobHistory();
  let presence: Presence | undefined;
  events.once("pool:create", ({ workerPool }) => {
    presence = new Presence(workerPool.id);
    presence.begin();
  });
  events.on("job:start", ({ job }) => {
    presence?.started(job.id);
    history.started(job.id);
  });
  events.on("job:complete", ({ job, error }) => {
    presence?.ended(job.id);
    history.ended({ id: job.id, task: job.task_identifier, failed: Boolean(error) });
  });
  history.begin();
  const runner = await run({
    pgPool: directPool(),
    events,
    logger,
    // Invoices use up to four.
    concurrency: 6,
    // New jobs are announced by NOTIFY; polling is for scheduled ones.
    pollInterval: 5 * SECOND,
    noHandleSignals: true,
    taskList: taskList(),
    crontab: crontab(),
  });
  const stop = runner.stop.bind(runner);
  return Object.assign(runner, {
    stop: async (reason?: string) => {
      setLeaving(true);
      await stop(reason);
      await history.end();
      await presence
        ?.end()
        .catch((error: Error) => log.warn({ event: "jobs.end_failed", reason: error.message }));
    },
  });
}
