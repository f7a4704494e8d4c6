import { expect, it } from "vitest";
import { pool } from "@/server/infrastructure/database/client";
import { testServer } from "@/server/testing/server";
import { releaseAllJobs, releaseJobs } from "./worker";
import { WorkerHeartbeat } from "./worker-heartbeat";

await testServer();

/** Adds a job that a worker locked some seconds ago. */
async function addLockedJob(worker: string, seconds = 0): Promise<string> {
  const { rows } = await pool().query("select id::text from graphile_worker.add_job('forget_tokens')");
  await pool().query(
    `update graphile_worker._private_jobs
        set locked_by = $2, locked_at = now() - make_interval(secs => $3) where id = $1`,
    [rows[0].id, worker, seconds],
  );
  return rows[0].id;
}
async function holderOf(job: string): Promise<string | null> {
  const { rows } = await pool().query("select locked_by from graphile_worker.jobs where id = $1", [job]);
  return rows[0].locked_by;
}
/** Sets the last heartbeat of a worker to some seconds ago. */
const lastSeen = (worker: string, seconds: number) =>
  pool().query(
    `insert into job_workers values ($1, now() - make_interval(secs => $2))
     on conflict (id) do update set seen_at = excluded.seen_at`,
    [worker, seconds],
  );

/** Sends a heartbeat every five seconds of simulated time. */
async function beats(presence: WorkerHeartbeat, from: number, to: number): Promise<void> {
  for (let second = from; second <= to; second += 5) await presence.beat(second * 1000);
}

it("frees the jobs of a dead worker only", async () => {
  const dead = await addLockedJob("pool-dead", 40);
  const alive = await addLockedJob("pool-alive", 40);
  await lastSeen("pool-dead", 35);
  await lastSeen("pool-alive", 20);
  const presence = new WorkerHeartbeat("pool-own");
  await beats(presence, 0, 25);
  expect(await holderOf(dead), "too early to tell").toBe("pool-dead");
  await beats(presence, 30, 30);
  expect([await holderOf(dead), await holderOf(alive)]).toEqual([null, "pool-alive"]);
});

it("gives other workers time for a heartbeat after a pause", async () => {
  const presence = new WorkerHeartbeat("pool-own");
  await beats(presence, 0, 60);
  const job = await addLockedJob("pool-paused");
  await lastSeen("pool-paused", 100);
  await beats(presence, 160, 185);
  expect(await holderOf(job)).toBe("pool-paused");
  await lastSeen("pool-paused", 0);
  await beats(presence, 190, 195);
  expect(await holderOf(job)).toBe("pool-paused");
});

it("frees its own jobs that are not running", async () => {
  const presence = new WorkerHeartbeat("pool-own");
  const [lost, underWay] = [await addLockedJob("pool-own"), await addLockedJob("pool-own")];
  presence.started(underWay);
  await beats(presence, 0, 0);
  expect(await holderOf(lost), "it may have been taken just now").toBe("pool-own");
  await beats(presence, 5, 5);
  expect([await holderOf(lost), await holderOf(underWay)]).toEqual([null, "pool-own"]);
});

it("frees jobs after ten minutes only for workers without heartbeats", async () => {
  const [unknown, alive] = [
    await addLockedJob("pool-older-release", 700),
    await addLockedJob("pool-alive", 700),
  ];
  await lastSeen("pool-alive", 0);
  await releaseJobs(10);
  expect([await holderOf(unknown), await holderOf(alive)]).toEqual([null, "pool-alive"]);
  await releaseAllJobs();
  expect(await holderOf(alive)).toBeNull();
});

it("removes its heartbeat on a regular stop", async () => {
  const presence = new WorkerHeartbeat("pool-leaving");
  await presence.beat(0);
  await presence.end();
  const { rows } = await pool().query("select id from job_workers where id = 'pool-leaving'");
  expect(rows).toEqual([]);
});
