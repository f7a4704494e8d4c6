import { expect, it } from "vitest";
import { HOUR } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { createSqlTag } from "@/server/infrastructure/database/statement";
import { startTestServer } from "@/server/testing/server";
import { JobHistory } from "./history";

await startTestServer();

const STARTED_AT = Date.parse("2027-01-01T10:20:00Z");
const readStoredStats = () =>
  prisma().jobStat.findMany({ orderBy: [{ task: "asc" }, { hour: "asc" }], omit: { hour: true } });

function recordRun(
  history: JobHistory,
  task: string,
  durationMs: number,
  { failed = false, at = STARTED_AT } = {},
): void {
  history.recordStart(task, 0);
  history.recordEnd({ id: task, task, failed }, { now: durationMs, at });
}

it("sums runs, failures and durations of all processes by task and hour", async () => {
  const processes = Array.from({ length: 20 }, () => new JobHistory());
  for (const [index, history] of processes.entries()) {
    recordRun(history, "mails", 10);
    recordRun(history, "mails", 30 + index, { failed: true });
    recordRun(history, "mails", 5, { at: STARTED_AT + HOUR });
    recordRun(history, "exports", 2000);
  }
  await Promise.all(processes.map((history) => history.stop()));
  expect(await readStoredStats()).toEqual([
    { task: "exports", runs: 20, failures: 0, msSum: 40_000n, msMax: 2000 },
    { task: "mails", runs: 40, failures: 20, msSum: 990n, msMax: 49 },
    { task: "mails", runs: 20, failures: 0, msSum: 100n, msMax: 5 },
  ]);
  await Promise.all(processes.map((history) => history.stop()));
  expect((await readStoredStats())[0]!.runs, "nothing is counted twice").toBe(20);
});

it("retries a failed write with the next one", async () => {
  let isDatabaseDown = true;
  const sql = createSqlTag(pool());
  const history = new JobHistory(((...args: Parameters<typeof sql>) =>
    isDatabaseDown ? Promise.reject(new Error("away")) : sql(...args)) as typeof sql);
  recordRun(history, "waiting", 7);
  await history.writeTallies();
  recordRun(history, "waiting", 9);
  expect(await prisma().jobStat.count({ where: { task: "waiting" } })).toBe(0);
  isDatabaseDown = false;
  await history.writeTallies();
  expect(await prisma().jobStat.findFirst({ where: { task: "waiting" } })).toMatchObject({
    runs: 2,
    msSum: 16n,
    msMax: 9,
  });
});

it("counts successful and failed jobs of a worker", async () => {
  const { startWorker } = await import("./worker");
  const runner = await startWorker();
  const endedTasks = new Set<string>();
  const bothJobsEnded = new Promise<void>((done) =>
    runner.events.on("job:complete", ({ job }) => {
      if (endedTasks.add(job.task_identifier).has("forget_job_history") && endedTasks.has("deliver_mail"))
        done();
    }),
  );
  try {
    await pool().query(`select graphile_worker.add_job('forget_job_history')`);
    await pool().query(`select graphile_worker.add_job('deliver_mail', '{"mailId":"none"}')`);
    await bothJobsEnded;
  } finally {
    await runner.stop();
  }
  const findStat = (task: string) => prisma().jobStat.findFirst({ where: { task } });
  expect(await findStat("forget_job_history")).toMatchObject({ failures: 0 });
  expect(await findStat("deliver_mail")).toMatchObject({ runs: 1, failures: 1 });
});
