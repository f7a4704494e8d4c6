import { type AddressInfo, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { closeDatabase } from "@/server/infrastructure/database/client";
import { testDatabase } from "@/server/testing/database";
import { closeLimiter } from "./limiter";

/** A Redis that tells its version, and nothing else. */
async function redisOf(version: string): Promise<string[]> {
  const heard: string[] = [];
  const info = `# Server\r\nredis_version:${version}\r\n`;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      for (const command of chunk
        .toString()
        .split(/^\*\d+\r\n/m)
        .filter(Boolean)) {
        heard.push(command);
        socket.write(/info/i.test(command) ? `$${info.length}\r\n${info}\r\n` : "+OK\r\n");
      }
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("REDIS_URL", `redis://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return heard;
}

/** Connects as a process does that has just read its settings. */
async function connect() {
  vi.resetModules();
  const limiter = await import("./limiter");
  await limiter.connectLimiter();
  return limiter;
}

beforeAll(async () => void (await testDatabase()));
afterEach(closeLimiter);
afterAll(closeDatabase);

it.each(["6.0.16", "5.0.7", "6.1.240"])(
  "refuses Redis %s, naming what is there and what is needed",
  async (version) => {
    await redisOf(version);
    await expect(connect()).rejects.toThrow(
      `REDIS_URL: Redis 6.2 or newer is needed; this one is ${version}.`,
    );
  },
);

it.each(["6.2.0", "7.0.15", "8.2.1"])("takes Redis %s", async (version) => {
  await redisOf(version);
  await connect();
});

it("is not told of guesses, which it could forget", async () => {
  const heard = await redisOf("7.0.15");
  const { consume } = await connect();
  const limit = { points: 5, per: 60, durable: true, named: true };
  expect((await consume({ name: "guesses", ...limit, guards: true }, "x")).remaining).toBe(4);
  await consume({ name: "requests", ...limit }, "x").catch(() => {});
  expect(heard.join()).toContain("requests:x");
  expect(heard.join()).not.toContain("guesses:x");
});
