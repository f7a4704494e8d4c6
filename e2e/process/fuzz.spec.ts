import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { findFreePort } from "@/server/testing/ports";
import { generateRawRequests, sendRawRequest } from "../raw-requests";
import { ServerProcess } from "../server-process";

const REQUEST_COUNT = 20_000;
const PARALLEL_CONNECTION_COUNT = 40;
/** Requests before the first memory reading, while code and caches are loaded. */
const WARM_UP_REQUEST_COUNT = 4000;
/** Growth of each process after the warm-up. */
const MAX_GROWTH_MB = 64;

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
function readMemoryMb(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  const status = existsSync(file) ? readFileSync(file, "utf8") : "";
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}

test(`${REQUEST_COUNT} raw requests to every kind of path crash no process and cause no 5xx except 503`, async () => {
  test.setTimeout(1_800_000);
  const seed = Number(process.env.FUZZ_SEED ?? 47);
  const server = await ServerProcess.create(
    {
      APP_MODE: "production",
      HOST: "127.0.0.1",
      DNS_SERVERS: "127.0.0.1:9",
      METRICS_PORT: String(await findFreePort()),
    },
    "empty",
  );
  try {
    await server.start();
    await expect.poll(async () => (await fetch(`${server.url}/sign-in`)).status).toBe(200);
    const { paths } = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as { paths: object };
    const apiPaths = Object.keys(paths);
    const allPaths = [...apiPaths, ...Array(8).fill(ENDPOINTS).flat(), ...Array(3).fill(PAGES).flat()];
    const pids = [server.pid, server.rendererPid];
    const countByStatus: Record<number, number> = {};
    const failures: string[] = [];
    let sentCount = 0;
    let memoryBefore: number[] = [];
    const requests = generateRawRequests(seed, REQUEST_COUNT, allPaths);
    await Promise.all(
      Array.from({ length: PARALLEL_CONNECTION_COUNT }, async () => {
        for (const request of requests) {
          const status = await sendRawRequest(server.port, request);
          countByStatus[status] = (countByStatus[status] ?? 0) + 1;
          if (status >= 500 && status !== 503)
            failures.push(`${status} ${request.pieces[0]!.toString("latin1", 0, 300)}`);
          if (++sentCount === WARM_UP_REQUEST_COUNT) memoryBefore = pids.map(readMemoryMb);
        }
      }),
    );
    const memoryAfter = pids.map(readMemoryMb);
    const warnings: Record<string, number> = {};
    for (const [, reason = ""] of server.output.matchAll(/"level":"warn".*?"reason":"([^"]{0,60})/g))
      warnings[reason] = (warnings[reason] ?? 0) + 1;
    process.stdout.write(
      `seed ${seed}, statuses ${JSON.stringify(countByStatus)}, MB ${memoryBefore} -> ${memoryAfter}, ${JSON.stringify(warnings)}\n`,
    );
    expect(failures).toEqual([]);
    expect([server.pid, server.rendererPid], "no process died").toEqual(pids);
    const errors = server.output
      .split("\n")
      .filter((line) => /"level":"(error|fatal)"|^\s*⨯|^\s*\w*Error\b/.test(line));
    expect(errors).toEqual([]);
    const responseCount = Object.entries(countByStatus).reduce(
      (sum, [status, count]) => (status === "0" ? sum : sum + count),
      0,
    );
    expect(responseCount, "requests that got a response").toBeGreaterThan(REQUEST_COUNT / 2);
    for (const [index, megabytes] of memoryAfter.entries())
      expect(megabytes - memoryBefore[index]!, `growth of process ${pids[index]}`).toBeLessThan(
        MAX_GROWTH_MB,
      );
    expect((await fetch(`${server.url}/sign-in`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  } finally {
    await server.dispose();
  }
});
