import { mkdir, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { env } from "@/server/core/env";
import { enterPhase } from "@/server/core/phase";
import { closeDatabase, openDatabase, pool, prisma } from "@/server/infrastructure/database/client";
import { startMetricsServer } from "@/server/metrics-server";
import { sendHttp } from "@/server/testing/http";
import { openProxy } from "@/server/testing/proxy";
import { startTestServer } from "@/server/testing/server";

const { get } = await startTestServer();

describe("GET /api/health", () => {
  it("returns 200 with every part when all of them work", async () => {
    const { status, json } = await get("/api/health");
    expect(status).toBe(200);
    expect(Object.keys(json.checks).sort()).toEqual([
      "accounting",
      "audit",
      "cleanups",
      "database",
      "jobs",
      "ledger",
      "mail",
      "media",
      "storage",
    ]);
  });

  it("returns 503 with the failing part, without addresses or paths", async () => {
    const { DATA_DIR } = env();
    await rm(DATA_DIR, { recursive: true });
    const failedResponse = await get("/api/health");
    await mkdir(DATA_DIR);
    expect(failedResponse.status).toBe(503);
    expect(failedResponse.json.checks.storage.ok).toBe(false);
    expect(failedResponse.json.checks.database.ok).toBe(true);
    expect(failedResponse.text).not.toContain(DATA_DIR);
  });

  it("fails when mails wait too long", async () => {
    const mail = await prisma().mailMessage.create({
      data: {
        toAddress: "a@example.com",
        template: "verify_email",
        locale: "tr",
        sealed: new Uint8Array([1]),
        createdAt: new Date(Date.now() - 20 * 60_000),
      },
    });
    const { status, json } = await get("/api/health");
    await prisma().mailMessage.delete({ where: { id: mail.id } });
    expect(status).toBe(503);
    expect(json.checks.mail).toEqual({ ok: false, detail: "late" });
  });

  it("fails when a job waits too long, but ignores jobs of other releases", async () => {
    const queueLateJob = (name: string) =>
      pool().query("select graphile_worker.add_job($1, run_at => now() - interval '10 minutes')", [name]);
    await queueLateJob("a_job_of_another_release");
    expect((await get("/api/health")).json.checks.jobs).toEqual({ ok: true, detail: "in time" });
    await queueLateJob("forget_tokens");
    const { status, json } = await get("/api/health");
    expect({ status, ok: json.checks.jobs.ok }).toEqual({ status: 503, ok: false });
    expect(json.checks.jobs.detail).toBe("late");
  });

  it("hides figures from the public and serves them as metrics on a separate port", async () => {
    const failedMail = {
      toAddress: "a@example.com",
      template: "verify_email",
      locale: "tr",
      state: "failed",
    } as const;
    for (const hours of [1, 25])
      await prisma().mailMessage.create({
        data: {
          ...failedMail,
          sealed: new Uint8Array([1]),
          createdAt: new Date(Date.now() - hours * 3_600_000),
        },
      });
    const { text } = await get("/api/health");
    expect(text).not.toMatch(/waiting|GB|\d+ s|failed today/);
    const metrics = await startMetricsServer({ host: "127.0.0.1", port: 0 });
    const { address, port } = metrics.address() as AddressInfo;
    onTestFinished(() => void metrics.close());
    expect(address).toBe("127.0.0.1");
    const metricsText = (await sendHttp(port, "GET", "/metrics")).text;
    expect(metricsText).toMatch(/^tellal_storage_free_bytes \d{6,}$/m);
    expect(metricsText).toMatch(/^tellal_jobs_waiting 1$/m);
    expect(metricsText).toMatch(/^tellal_mails_failed_today 1$/m);
    expect(metricsText, "there is no Redis").not.toContain("tellal_redis_up");
    const metricsHealth = await sendHttp(port, "GET", "/health");
    expect(metricsHealth).toMatchObject({ status: 503, json: { checks: { jobs: { ok: false } } } });
  });
});

describe("GET /api/health/ready", () => {
  const readReadiness = async () => {
    const { status, json } = await get("/api/health/ready");
    return [status, json.status];
  };

  it("returns 503 while the server starts or stops, and closes connections while it stops", async () => {
    onTestFinished(() => enterPhase("serving"));
    for (const phase of ["starting", "draining"] as const) {
      enterPhase(phase);
      expect(await readReadiness()).toEqual([503, phase]);
      expect((await get("/api/health/live")).status).toBe(200);
    }
    expect((await get("/api/health/live")).headers.connection).toBe("close");
    enterPhase("serving");
    expect(await readReadiness()).toEqual([200, "ok"]);
    expect((await get("/api/health/live")).headers.connection).toBe("keep-alive");
  });

  it("returns 503 while the database is away; the server keeps running", async () => {
    const url = env().DATABASE_URL!;
    await closeDatabase();
    const proxy = await openProxy(url);
    openDatabase(proxy.url);
    onTestFinished(proxy.thaw);
    expect(await readReadiness()).toEqual([200, "ok"]);
    proxy.freeze();
    expect(await readReadiness()).toEqual([503, "database_away"]);
    expect((await get("/api/health/live")).status).toBe(200);
  });
});
