import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { freePort } from "@/server/testing/ports";
import { ServerProcess } from "../server-process";

const ACCOUNT = { email: "customer@example.com", password: "demo-password" };

/** The process that renders the pages of a server. */
function pagesOf(server: ServerProcess): number {
  return server.pagesPid!;
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Asks for a page and reads it whole. */
async function visit(page: string): Promise<number | "no page"> {
  const response = await fetch(page, { headers: { accept: "text/html" } });
  const text = await response.text();
  return text.toLowerCase().startsWith("<!doctype html>") ? response.status : "no page";
}

test("the API does not notice that the process for pages was killed, and pages come back", async () => {
  const metrics = await freePort();
  const server = await ServerProcess.create({ METRICS_PORT: String(metrics) }, "demo");
  try {
    await server.start();
    await expect.poll(async () => (await fetch(`${server.url}/sign-in`)).status).toBe(200);
    const { token } = (await server.call("POST", "/api/auth/login", { body: ACCOUNT })).body;
    const reads: number[] = [];
    const views: Array<number | "cut" | "no page"> = [];
    const atOnce: typeof views = [];
    let going = true;
    const calls = (async () => {
      for (; going; await sleep(20))
        reads.push((await server.call("GET", "/api/user", { token: String(token) })).status);
    })();
    const visits = [1, 2, 3].map(async () => {
      for (; going; await sleep(20)) {
        // What had begun to arrive when the process died is cut; what had not is a page that says so.
        const askedAt = performance.now();
        const view = await visit(`${server.url}/sign-in`).catch(() => "cut" as const);
        views.push(view);
        // A machine that needs longer than that to start a process says so to whoever waited.
        if (view !== 200 && performance.now() - askedAt < 25_000) atOnce.push(view);
      }
    });
    for (let round = 0; round < 2; round++) {
      const killed = pagesOf(server);
      const before = views.length;
      process.kill(killed, "SIGKILL");
      await expect.poll(() => lives(killed)).toBe(false);
      await expect.poll(() => views.slice(before + 6).includes(200), { timeout: 120_000 }).toBe(true);
      expect(pagesOf(server)).not.toBe(killed);
      // Where the system has priorities of sessions: those who call come before it, and so does PostgreSQL.
      const session = `/proc/${pagesOf(server)}/autogroup`;
      if (existsSync(session)) await expect.poll(() => readFileSync(session, "utf8")).toMatch(/nice 5$/m);
    }
    going = false;
    await Promise.all([calls, ...visits]);
    expect([...new Set(reads)]).toEqual([200]);
    expect(views.filter((view) => view !== 200 && view !== 503 && view !== "cut")).toEqual([]);
    // Each of the three had at most one page under way at each of the two deaths.
    expect(atOnce.length).toBeLessThanOrEqual(6);
    const figures = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    expect(figures).toContain("tellal_pages_starts_total 3");
    const own = await (await fetch(`http://127.0.0.1:${metrics}/metrics/pages`)).text();
    expect(own).toMatch(/^process_resident_memory_bytes \d+/m);

    await server.sql("ALTER TABLE legal_texts RENAME TO gone");
    expect(await visit(`${server.url}/legal/terms`)).toBe(500);
    const logged = () =>
      server.output.split("\n").find((line) => line.includes('"operation":"readLegalText"'));
    await expect
      .poll(logged, "the stack of a page's failure names the sources")
      .toMatch(/legal-texts\/service\/public\.ts:\d+/);
  } finally {
    await server.dispose();
  }
});

test("the process for pages ends with its server, however that ends", async () => {
  // Every server that starts removes what dead ones have left in the folder that they share.
  const folder = mkdtempSync(join(tmpdir(), "tellal-apart-"));
  const server = await ServerProcess.create({ TMPDIR: folder }, "demo");
  try {
    await server.start();
    // Its pages are not ready yet.
    expect(await server.stop(), "a stop in order").toBe(0);
    for (const end of [() => server.stop(), () => server.killAlone()]) {
      await server.start();
      const pid = pagesOf(server);
      expect(lives(pid)).toBe(true);
      await end();
      await expect.poll(() => lives(pid), { timeout: 30_000 }).toBe(false);
    }
    await server.start();
    await expect.poll(async () => (await fetch(`${server.url}/sign-in`)).status).toBe(200);
    const { pid: killed } = server;
    const left = () => readdirSync(folder).filter((name) => name.startsWith(`tellal-pages-${killed}-`));
    // Killed along with the server: on its own, it would see the server end and take its socket with it.
    const pages = pagesOf(server);
    process.kill(pages, "SIGSTOP");
    await server.kill({ database: true });
    process.kill(pages, "SIGKILL");
    await expect.poll(() => lives(pages)).toBe(false);
    expect(left(), "what both have left").toHaveLength(1);
    await server.start();
    await expect.poll(left).toEqual([]);
  } finally {
    await server.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
});
