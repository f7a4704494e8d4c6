import { expect, it } from "vitest";
import { getRegisteredDomains } from "@/server/core/domain";
import { LOCALES } from "@/server/core/locale";
import { readDictionary } from "@/server/core/texts";
import { HOUR } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { ERASED_CONTENT, queueMail } from "@/server/infrastructure/mail/outbox";
import { makeSignedInUser, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { deleteJobHistoryJob } from "./jobs";

const { get, call, post } = await startTestServer();
const { token } = await makeSignedInUser({ role: "admin" });
const CANARY = "kanaryaKanaryaKanarya42";

interface JobInput {
  attempts?: number;
  error?: string | null;
  lockedBy?: string | null;
}
async function makeJob({ attempts = 0, error = null, lockedBy = null }: JobInput = {}): Promise<number> {
  const { rows } = await pool().query(
    `select id::int from graphile_worker.add_job('forget_tokens', $1, run_at => now() + interval '1 hour', max_attempts => 25)`,
    [JSON.stringify({ secret: CANARY })],
  );
  await pool().query(
    `update graphile_worker._private_jobs set attempts = $2, last_error = $3, locked_by = $4::text,
            locked_at = case when $4::text is not null then now() end where id = $1`,
    [rows[0].id, attempts, error, lockedBy],
  );
  return rows[0].id;
}
const makeFailingJob = (overrides: JobInput = {}) => makeJob({ attempts: 3, error: "away", ...overrides });
const makeGivenUpJob = (overrides: JobInput = {}) => makeJob({ attempts: 25, error: "away", ...overrides });
const actOnJob = (id: number, verb: "retry" | "give-up") =>
  call("POST", `/api/admin/jobs/${id}/${verb}`, { token });
const findJob = async (id: number) => (await get(`/api/admin/jobs?q=${id}`, token)).json.data[0];
const countAuditEvents = (action: string) => prisma().auditEvent.count({ where: { action } });

it("lists jobs by state, task and ID", async () => {
  const ids = {
    waiting: await makeJob(),
    running: await makeJob({ attempts: 1, lockedBy: "pool-a" }),
    retrying: await makeFailingJob(),
    given_up: await makeGivenUpJob(),
  };
  for (const [state, id] of Object.entries(ids)) {
    const { json } = await get(`/api/admin/jobs?state=${state}&q=forget_tok`, token);
    expect(json.data, state).toEqual([expect.objectContaining({ id, state, task: "forget_tokens" })]);
    expect(json.meta.total).toBe(1);
    expect(await findJob(id)).toMatchObject({ id, state });
  }
  const secondPage = (await get("/api/admin/jobs?sort=created_at&per_page=2&page=2", token)).json;
  expect(secondPage.data.map((each: { id: number }) => each.id)).toEqual([ids.retrying, ids.given_up]);
  expect(secondPage.meta).toEqual({ page: 2, per_page: 2, total: 4 });
  expect((await get("/api/admin/jobs?q=no_such", token)).json.data).toEqual([]);
});

it("hides payloads and removes secrets from errors", async () => {
  const errors = [
    `401 for dsu_${CANARY}`,
    `550 no such mailbox <${CANARY}@example.com>`,
    `POST https://api.telegram.org/bot123456789:AA_${CANARY}/deleteWebhook`,
    `GET /reset?token=${CANARY}&x=1`,
    `${"x".repeat(490)} dsu_${CANARY}`,
  ];
  for (const error of errors) {
    const id = await makeGivenUpJob({ error });
    const response = await get(`/api/admin/jobs?q=${id}`, token);
    expect(response.json.data[0].last_error, error).toContain("…");
    const texts = [
      response.text,
      (await get("/api/admin/failed-work", token)).text,
      (await actOnJob(id, "retry")).text,
    ];
    for (const text of texts) expect(text, error).not.toMatch(/kanarya/i);
  }
  expect((await get(`/api/admin/jobs?q=${CANARY}`, token)).json.data).toEqual([]);
});

it("retries and gives up failed jobs and leaves all others unchanged", async () => {
  const id = await makeFailingJob();
  expect((await actOnJob(id, "give-up")).status).toBe(200);
  expect(await findJob(id)).toMatchObject({ state: "given_up", last_error: "away", attempts: 25 });
  expect((await actOnJob(id, "give-up")).status).toBe(422);
  expect((await actOnJob(id, "retry")).status).toBe(200);
  const retriedJob = await findJob(id);
  expect(retriedJob).toMatchObject({ state: "retrying", attempts: 0 });
  expect(Date.parse(retriedJob.run_at)).toBeLessThanOrEqual(Date.now());

  const jobIdByRejection = {
    409: await makeFailingJob({ lockedBy: "pool-a" }),
    422: await makeJob(),
    404: 2_000_000_000,
  };
  for (const [status, otherId] of Object.entries(jobIdByRejection))
    for (const verb of ["retry", "give-up"] as const) {
      const jobBefore = await findJob(otherId);
      const response = await actOnJob(otherId, verb);
      expect(response.status, verb).toEqual(Number(status));
      expect(response.json.error ?? response.json.message, verb).toEqual(expect.stringMatching(/\S/));
      expect(await findJob(otherId)).toEqual(jobBefore);
    }
  // The previous test has made five retries.
  expect([await countAuditEvents("job.given_up"), await countAuditEvents("job.retried")]).toEqual([1, 6]);
});

it("runs a recurring job on request, once for repeated requests, and no other job", async () => {
  const { json } = await get("/api/admin/schedule", token);
  expect(json.data).toContainEqual({
    task: "forget_counters",
    cron: "26 * * * *",
    last_run_at: null,
  });
  for (let time = 0; time < 3; time++)
    expect((await post("/api/admin/schedule", { task: "forget_counters" }, { token })).status).toBe(200);
  expect((await get("/api/admin/jobs?q=forget_counters", token)).json.meta.total).toBe(1);
  for (const task of ["deliver_mail", "no_such_task", "constructor"])
    expect((await post("/api/admin/schedule", { task }, { token })).status, task).toBe(422);
});

it("lists failed work of all domains and retries it", async () => {
  await pool().query("delete from graphile_worker._private_jobs");
  expect((await get("/api/admin/failed-work", token)).json.data).toEqual([]);
  const person = await makeUser();
  for (let index = 0; index < 3; index++)
    await queueMail(
      withoutTransaction(),
      { userId: person.id, address: person.email },
      { template: "password_changed", locale: "en", params: { name: "Ayşe" }, path: "/settings/security" },
    );
  const mails = await prisma().mailMessage.findMany({ where: { userId: person.id }, orderBy: { id: "asc" } });
  const erasedMailId = mails[0]!.id;
  await prisma().mailMessage.updateMany({ data: { state: "failed", error: `refused <${person.email}>` } });
  await prisma().mailMessage.update({ where: { id: erasedMailId }, data: { sealed: ERASED_CONTENT } });
  await pool().query("delete from graphile_worker._private_jobs");
  await makeGivenUpJob();
  await makeGivenUpJob();

  const { json } = await get("/api/admin/failed-work", token);
  const failedWorkByKind = Object.fromEntries(json.data.map((each: { kind: string }) => [each.kind, each]));
  expect(Object.keys(failedWorkByKind).toSorted()).toEqual(["jobs", "mails"]);
  expect(failedWorkByKind.jobs).toMatchObject({ count: 2, last_error: "away", retryable: true });
  expect(failedWorkByKind.mails).toMatchObject({
    count: 2,
    last_error: "refused <…@…>",
    page: "/admin/mails?state=failed",
  });

  const responses = await Promise.all(
    Array.from({ length: 5 }, () => post("/api/admin/failed-work", { kind: "mails" }, { token })),
  );
  expect(responses.reduce((sum, { json: { count } }) => sum + count, 0)).toBe(2);
  expect((await get("/api/admin/jobs?q=deliver_mail", token)).json.meta.total).toBe(2);
  expect((await post("/api/admin/failed-work", { kind: "jobs" }, { token })).json.count).toBe(2);
  expect((await get("/api/admin/failed-work", token)).json.data).toEqual([]);
  for (const kind of ["exports", "no_such_kind", "constructor"])
    expect((await post("/api/admin/failed-work", { kind }, { token })).status, kind).toBe(422);
});

it("can query the failed work of every domain", async () => {
  const kinds = getRegisteredDomains().flatMap(({ failedWork = {} }) => Object.entries(failedWork));
  expect(kinds.length).toBeGreaterThan(5);
  for (const [kind, { inspect }] of kinds)
    expect(await inspect(withoutTransaction()), kind).toMatchObject({ count: expect.any(Number) });
});

it("returns the history of jobs for a day or a week", async () => {
  const getHourStart = (hoursBack: number) => new Date(Math.floor(Date.now() / HOUR - hoursBack) * HOUR);
  const buildStat = (
    task: string,
    hoursBack: number,
    [runs, failures, sum, max]: [number, number, number, number],
  ) => ({
    ...{ task, hour: getHourStart(hoursBack), runs, failures },
    ...{ msSum: BigInt(sum), msMax: max },
  });
  await prisma().jobStat.deleteMany();
  await prisma().jobStat.createMany({
    data: [
      buildStat("mails", 0, [3, 1, 100, 60]),
      buildStat("mails", 5, [1, 0, 300, 300]),
      buildStat("mails", 30, [6, 2, 1000, 900]),
      buildStat("exports", 1, [2, 0, 9000, 5000]),
      buildStat("old", 24 * 91, [1, 1, 1, 1]),
    ],
  });
  const mails = { task: "mails", runs: 4, failures: 1, average_ms: 100, longest_ms: 300 };
  const exportRuns = { task: "exports", runs: 2, failures: 0, average_ms: 4500, longest_ms: 5000 };
  expect((await get("/api/admin/jobs/history", token)).json.data).toEqual([mails, exportRuns]);
  const weekRow = { ...mails, runs: 10, failures: 3, average_ms: 140, longest_ms: 900 };
  expect((await get("/api/admin/jobs/history?period=week", token)).json.data).toEqual([weekRow, exportRuns]);
  expect((await get("/api/admin/jobs/history?period=year", token)).status).toBe(422);
  await deleteJobHistoryJob();
  expect(await prisma().jobStat.count()).toBe(4);
});

it("has a name for every job, in every language", () => {
  const tasks = getRegisteredDomains().flatMap(({ jobs = {} }) => Object.keys(jobs));
  for (const locale of LOCALES) {
    const { tasks: names } = readDictionary(locale).jobs as { tasks: Record<string, string> };
    expect(Object.keys(names).toSorted(), locale).toEqual(tasks.toSorted());
  }
});
