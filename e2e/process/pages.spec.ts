import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { findFreePort } from "@/server/testing/ports";
import { ServerProcess } from "../server-process";

const CREDENTIALS = { email: "customer@example.com", password: "demo-password" };

function getRendererPid(server: ServerProcess): number {
  return server.rendererPid!;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function fetchPageStatus(pageUrl: string): Promise<number | "no page"> {
  const response = await fetch(pageUrl, { headers: { accept: "text/html" } });
  const text = await response.text();
  return text.toLowerCase().startsWith("<!doctype html>") ? response.status : "no page";
}

test("the API keeps responding while the renderer is killed, and pages recover", async () => {
  const metricsPort = await findFreePort();
  const server = await ServerProcess.create({ METRICS_PORT: String(metricsPort) }, "demo");
  try {
    await server.start();
    await expect.poll(async () => (await fetch(`${server.url}/sign-in`)).status).toBe(200);
    const { token } = (await server.call("POST", "/api/auth/login", { body: CREDENTIALS })).body;
    const apiStatuses: number[] = [];
    const pageStatuses: Array<number | "cut" | "no page"> = [];
    const earlyFailures: typeof pageStatuses = [];
    let isRunning = true;
    const apiCalls = (async () => {
      for (; isRunning; await sleep(20))
        apiStatuses.push((await server.call("GET", "/api/user", { token: String(token) })).status);
    })();
    const pageVisits = [1, 2, 3].map(async () => {
      for (; isRunning; await sleep(20)) {
        // At the kill, a started response is cut off, and others are a 503 page.
        const requestedAt = performance.now();
        const pageStatus = await fetchPageStatus(`${server.url}/sign-in`).catch(() => "cut" as const);
        pageStatuses.push(pageStatus);
        // On a slow machine, the renderer takes longer than the wait for it; such a 503 is correct.
        if (pageStatus !== 200 && performance.now() - requestedAt < 25_000) earlyFailures.push(pageStatus);
      }
    });
    for (let round = 0; round < 2; round++) {
      const killedPid = getRendererPid(server);
      const countBefore = pageStatuses.length;
      process.kill(killedPid, "SIGKILL");
      await expect.poll(() => isAlive(killedPid)).toBe(false);
      await expect
        .poll(() => pageStatuses.slice(countBefore + 6).includes(200), { timeout: 120_000 })
        .toBe(true);
      expect(getRendererPid(server)).not.toBe(killedPid);
      // With autogroup scheduling, the renderer has a lower priority than the API and PostgreSQL.
      const autogroupFile = `/proc/${getRendererPid(server)}/autogroup`;
      if (existsSync(autogroupFile))
        await expect.poll(() => readFileSync(autogroupFile, "utf8")).toMatch(/nice 5$/m);
    }
    isRunning = false;
    await Promise.all([apiCalls, ...pageVisits]);
    expect([...new Set(apiStatuses)]).toEqual([200]);
    expect(
      pageStatuses.filter((pageStatus) => pageStatus !== 200 && pageStatus !== 503 && pageStatus !== "cut"),
    ).toEqual([]);
    expect(earlyFailures.length).toBeLessThanOrEqual(6);
    const serverMetrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    // The first start, and one after each kill.
    expect(serverMetrics).toContain("tellal_pages_starts_total 3");
    const rendererMetrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics/pages`)).text();
    expect(rendererMetrics).toMatch(/^process_resident_memory_bytes \d+/m);

    await server.sql("ALTER TABLE legal_texts RENAME TO gone");
    expect(await fetchPageStatus(`${server.url}/legal/terms`)).toBe(500);
    const findLoggedError = () =>
      server.output.split("\n").find((line) => line.includes('"operation":"readLegalText"'));
    await expect
      .poll(findLoggedError, "the logged stack of a page's error contains source files")
      .toMatch(/legal-texts\/service\/public-text\.ts:\d+/);
  } finally {
    await server.dispose();
  }
});

test("the renderer ends with its server, after a stop and after SIGKILL", async () => {
  // A folder of its own, because every start removes the sockets of dead servers from it.
  const folder = mkdtempSync(join(tmpdir(), "tellal-apart-"));
  const server = await ServerProcess.create({ TMPDIR: folder }, "demo");
  try {
    await server.start();
    // Stopped before the renderer is ready.
    expect(await server.stop(), "graceful stop").toBe(0);
    for (const stopServer of [() => server.stop(), () => server.killServerAndSupervisor()]) {
      await server.start();
      const pid = getRendererPid(server);
      expect(isAlive(pid)).toBe(true);
      await stopServer();
      await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
    }
    await server.start();
    await expect.poll(async () => (await fetch(`${server.url}/sign-in`)).status).toBe(200);
    const { pid: killedPid } = server;
    const listSockets = () =>
      readdirSync(folder).filter((name) => name.startsWith(`tellal-pages-${killedPid}-`));
    // A running renderer would remove its socket when the server ends: stop it first, kill it last.
    const rendererPid = getRendererPid(server);
    process.kill(rendererPid, "SIGSTOP");
    await server.kill({ database: true });
    process.kill(rendererPid, "SIGKILL");
    await expect.poll(() => isAlive(rendererPid)).toBe(false);
    expect(listSockets(), "socket left by both processes").toHaveLength(1);
    await server.start();
    await expect.poll(listSockets).toEqual([]);
  } finally {
    await server.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
});
