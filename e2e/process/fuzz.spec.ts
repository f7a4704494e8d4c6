import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { freePort } from "@/server/testing/ports";
import { rawRequests, statusOf } from "../raw-requests";
import { ServerProcess } from "../server-process";

const COUNT = 20_000;
const PARALLEL = 40;
/** Requests before the first memory reading, while code and caches are loaded. */
const WARM_UP_REQUESTS = 4000;
/** Maximum growth of a process after that, in megabytes. */
const MAX_GROWTH = 64;

const PAGES = [
  "/",
  "/sign-in",
  "/register",
  "/setup?token=x",
  "/reset-password?token=x",
  "/docs",
  "/sites/{id}",
  "/legal/{key}",
  "/no/such/page",
  "/icon.svg",
  "/icons/favicon",
  "/robots.txt",
  "/manifest.webmanifest",
  "/_next/static/chunks/{file}.js",
  "/.well-known/tellal-portal",
  "/.well-known/security.txt",
];
const ENDPOINTS = [
  "/session/csrf",
  "/session/session",
  "/session/providers",
  "/session/signin/{provider}",
  "/session/signin/token",
  "/session/callback/token",
  "/session/callback/{provider}",
  "/session/signout",
  "/session/error",
  "/media/f/{file}/a.png",
  "/media/avatars/{file}.webp",
  "/media/",
  "/hooks/telegram/{secret}",
  "/hooks/whatsapp/{secret}?hub.challenge=1",
  "/hooks/{channel}/x",
  "/trpc/profile.me",
  "/trpc/signIn.login",
  "/trpc/sites.list,profile.me?batch=1",
  "/trpc/{procedure}",
  "/dev/sandbox/telegram/x",
  "/metrics",
];

/** Returns the resident memory of a process in megabytes; 0 without /proc. */
function memoryOf(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  const status = existsSync(file) ? readFileSync(file, "utf8") : "";
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}

test(`${COUNT} raw requests to every kind of path crash no process and cause no 5xx except 503`, async () => {
  test.setTimeout(1_800_000);
  const seed = Number(process.env.FUZZ_SEED ?? 47);
  const server = await ServerProcess.create(
    {
      APP_MODE: "production",
      HOST: "127.0.0.1",
      DNS_SERVERS: "127.0.0.1:9",
      METRICS_PORT: String(await freePort()),
    },
    "empty",
  );
  try {
    await server.start();
    await expect.poll(async () => (await fetch(`${server.url}/sign-in`)).status).toBe(200);
    const { paths } = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as { paths: object };
    const api = Object.keys(paths);
    const all = [...api, ...Array(8).fill(ENDPOINTS).flat(), ...Array(3).fill(PAGES).flat()];
    const pids = [server.pid, server.pagesPid];
    const tally: Record<number, number> = {};
    const failed: string[] = [];
    let sent = 0;
    let before: number[] = [];
    const requests = rawRequests(seed, COUNT, all);
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        for (const request of requests) {
          const status = await statusOf(server.port, request);
          tally[status] = (tally[status] ?? 0) + 1;
          if (status >= 500 && status !== 503)
            failed.push(`${status} ${request.pieces[0]!.toString("latin1", 0, 300)}`);
          if (++sent === WARM_UP_REQUESTS) before = pids.map(memoryOf);
        }
      }),
    );
    const after = pids.map(memoryOf);
    const warnings: Record<string, number> = {};
    for (const [, reason = ""] of server.output.matchAll(/"level":"warn".*?"reason":"([^"]{0,60})/g))
      warnings[reason] = (warnings[reason] ?? 0) + 1;
    process.stdout.write(
      `seed ${seed}, statuses ${JSON.stringify(tally)}, MB ${before} -> ${after}, ${JSON.stringify(warnings)}\n`,
    );
    expect(failed).toEqual([]);
    expect([server.pid, server.pagesPid], "no process died").toEqual(pids);
    const errors = server.output
      .split("\n")
      .filter((line) => /"level":"(error|fatal)"|^\s*⨯|^\s*\w*Error\b/.test(line));
    expect(errors).toEqual([]);
    const responses = Object.entries(tally).reduce(
      (sum, [status, count]) => (status === "0" ? sum : sum + count),
      0,
    );
    expect(responses, "requests that got a response").toBeGreaterThan(COUNT / 2);
    for (const [index, megabytes] of after.entries())
      expect(megabytes - before[index]!, `growth of process ${pids[index]}`).toBeLessThan(MAX_GROWTH);
    expect((await fetch(`${server.url}/sign-in`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  } finally {
    await server.dispose();
  }
});
