import { expect, it } from "vitest";
import { pool } from "@/server/infrastructure/database/client";
import { startTestServer } from "@/server/testing/server";
import { unlockAbandonedJobs, unlockAllJobs } from "./worker";
import { WorkerHeartbeat } from "./worker-heartbeat";

await startTestServer();

async function addLockedJob(workerId: string, seconds = 0): Promise<string> {
  const { rows } = await pool().query("select id::text from graphile_worker.add_job('forget_tokens')");
  await pool().query(
    `update graphile_worker._private_jobs
        set locked_by = $2, locked_at = now() - make_interval(secs => $3) where id = $1`,
    [rows[0].id, workerId, seconds],
  );
  return rows[0].id;
}
async function findLockHolder(jobId: string): Promise<string | null> {
  const { rows } = await pool().query("select locked_by from graphile_worker.jobs where id = $1", [jobId]);
  return rows[0].locked_by;
}
const setLastHeartbeat = (workerId: string, seconds: number) =>
  pool().query(
    `insert into job_workers values ($1, now() - make_interval(secs => $2))
     on conflict (id) do update set seen_at = excluded.seen_at`,
    [workerId, seconds],
  );

async function sendHeartbeats(
  heartbeat: WorkerHeartbeat,
  fromSecond: number,
  toSecond: number,
): Promise<void> {
  for (let second = fromSecond; second <= toSecond; second += 5) await heartbeat.beat(second * 1000);
}

// worker-heartbeat.ts: a beat every 5 seconds, dead after 30.
it("frees the jobs of a dead worker only", async () => {
  const deadWorkerJobId = await addLockedJob("pool-dead", 40);
  const aliveWorkerJobId = await addLockedJob("pool-alive", 40);
  await setLastHeartbeat("pool-dead", 35);
  await setLastHeartbeat("pool-alive", 20);
  const heartbeat = new WorkerHeartbeat("pool-own");
  await sendHeartbeats(heartbeat, 0, 25);
  expect(await findLockHolder(deadWorkerJobId), "other workers have 30 seconds for their first beat").toBe(
    "pool-dead",
  );
  await sendHeartbeats(heartbeat, 30, 30);
  expect([await findLockHolder(deadWorkerJobId), await findLockHolder(aliveWorkerJobId)]).toEqual([
    null,
    "pool-alive",
  ]);
});

it("gives other workers time for a heartbeat after a pause", async () => {
  const heartbeat = new WorkerHeartbeat("pool-own");
  await sendHeartbeats(heartbeat, 0, 60);
  const jobId = await addLockedJob("pool-paused");
  await setLastHeartbeat("pool-paused", 100);
  await sendHeartbeats(heartbeat, 160, 185);
  expect(await findLockHolder(jobId)).toBe("pool-paused");
  await setLastHeartbeat("pool-paused", 0);
  await sendHeartbeats(heartbeat, 190, 195);
  expect(await findLockHolder(jobId)).toBe("pool-paused");
});

it("frees its own jobs that are not running", async () => {
  const heartbeat = new WorkerHeartbeat("pool-own");
  const [lostJobId, runningJobId] = [await addLockedJob("pool-own"), await addLockedJob("pool-own")];
  heartbeat.addRunningJob(runningJobId);
  await sendHeartbeats(heartbeat, 0, 0);
  expect(await findLockHolder(lostJobId), "it may have been taken just now").toBe("pool-own");
  await sendHeartbeats(heartbeat, 5, 5);
  expect([await findLockHolder(lostJobId), await findLockHolder(runningJobId)]).toEqual([null, "pool-own"]);
});

it("frees jobs after ten minutes only for workers without heartbeats", async () => {
  const [unknownWorkerJobId, aliveWorkerJobId] = [
    await addLockedJob("pool-older-release", 700),
    await addLockedJob("pool-alive", 700),
  ];
  await setLastHeartbeat("pool-alive", 0);
  await unlockAbandonedJobs(10);
  expect([await findLockHolder(unknownWorkerJobId), await findLockHolder(aliveWorkerJobId)]).toEqual([
    null,
    "pool-alive",
  ]);
  await unlockAllJobs();
  expect(await findLockHolder(aliveWorkerJobId)).toBeNull();
});

it("removes its heartbeat on a regular stop", async () => {
  const heartbeat = new WorkerHeartbeat("pool-leaving");
  await heartbeat.beat(0);
  await heartbeat.stop();
  const { rows } = await pool().query("select id from job_workers where id = 'pool-leaving'");
  expect(rows).toEqual([]);
});
