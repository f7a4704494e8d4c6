import { mkdir, rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { env } from "@/server/core/env";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { testServer } from "@/server/testing/server";

const { get } = await testServer();

describe("GET /api/health", () => {
  it("names every part and answers 200 when all of them work", async () => {
    const { status, json } = await get("/api/health");
    expect(status).toBe(200);
    expect(Object.keys(json.checks).sort()).toEqual(["database", "jobs", "mail", "storage"]);
  });

  it("answers 503 with the failing part, and without an address or a path", async () => {
    const { DATA_DIR } = env();
    await rm(DATA_DIR, { recursive: true });
    const missing = await get("/api/health");
    await mkdir(DATA_DIR);
    expect(missing.status).toBe(503);
    expect(missing.json.checks.storage.ok).toBe(false);
    expect(missing.json.checks.database.ok).toBe(true);
    expect(missing.text).not.toContain(DATA_DIR);
  });

  it("fails when mails wait for too long", async () => {
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
    expect(json.checks.mail).toEqual({ ok: false, detail: "1 mails wait for over 15 minutes" });
  });

  it("fails when a job waits for too long, but not for one that no domain knows any more", async () => {
    const queue = (name: string) =>
      pool().query("select graphile_worker.add_job($1, run_at => now() - interval '10 minutes')", [name]);
    await queue("a_job_of_another_release");
    expect((await get("/api/health")).json.checks.jobs).toEqual({ ok: true, detail: "0 waiting" });
    await queue("forget_tokens");
    const { status, json } = await get("/api/health");
    expect([status, json.checks.jobs.ok]).toEqual([503, false]);
    expect(json.checks.jobs.detail).toMatch(/^the oldest job waits for 60\d s$/);
  });
});
