import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { resetLazyValues } from "@/server/core/lazy-value";
import { log } from "@/server/core/log";
import { closeDatabase } from "@/server/infrastructure/database/client";
import { createTestDatabase } from "@/server/testing/database";
import { overrideSettings } from "@/server/testing/settings";
import { closeLimiter, connectLimiter, consumePoints } from "./limiter";

/** Fake Redis that reports a version and counts until it is killed. */
async function openFakeRedis(version: string): Promise<string[] & { kill(): void }> {
  const sockets: Socket[] = [];
  const kill = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const commands = Object.assign([] as string[], { kill });
  const counts = new Map<string, number>();
  const buildReply = (command: string) => {
    if (/info/i.test(command)) return `$${info.length}\r\n${info}\r\n`;
    if (!/eval/i.test(command)) return "+OK\r\n";
    // The limiter's Lua call has one key, then the points. It returns the count and the milliseconds left.
    const [, key, points] = /\r\n1\r\n\$\d+\r\n([^\r]+)\r\n\$\d+\r\n(\d+)/.exec(command) ?? [];
    const count = (counts.get(key!) ?? 0) + Number(points);
    counts.set(key!, count);
    return `*2\r\n:${count}\r\n:60000\r\n`;
  };
  const info = `# Server\r\nredis_version:${version}\r\n`;
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      for (const command of chunk
        .toString()
        .split(/^\*\d+\r\n/m)
        .filter(Boolean)) {
        commands.push(command);
        socket.write(buildReply(command));
      }
    });
  });
  onTestFinished(kill);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  overrideSettings({ REDIS_URL: `redis://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return commands;
}

async function connectAsNewProcess() {
  resetLazyValues();
  await connectLimiter();
}

beforeAll(async () => void (await createTestDatabase()));
afterEach(closeLimiter);
afterAll(closeDatabase);

it.each(["6.0.16", "5.0.7", "6.1.240"])("rejects Redis %s, naming both versions", async (version) => {
  await openFakeRedis(version);
  await expect(connectAsNewProcess()).rejects.toThrow(
    `REDIS_URL: Redis 6.2 or newer is needed; this one is ${version}.`,
  );
});

it.each(["6.2.0", "7.0.15", "8.2.1"])("accepts Redis %s", async (version) => {
  await openFakeRedis(version);
  await connectAsNewProcess();
});

it("does not count guesses in Redis", async () => {
  const commands = await openFakeRedis("7.0.15");
  await connectAsNewProcess();
  // `isDocumented` keeps the exact number of points; tests relax other limits.
  const limit = { points: 5, per: 60, durable: true, isDocumented: true };
  expect((await consumePoints({ name: "guesses", ...limit, limitsGuessing: true }, "x")).remaining).toBe(4);
  await consumePoints({ name: "requests", ...limit }, "x").catch(() => {});
  expect(commands.join()).toContain("requests:x");
  expect(commands.join()).not.toContain("guesses:x");
});

it.each([{ durable: true }, {}])(
  "shares a limit with options %j between processes, and falls back when Redis dies",
  async (durability) => {
    const redis = await openFakeRedis("7.0.15");
    const limit = { name: "shared", points: 5, per: 60, isDocumented: true, ...durability };
    const results: boolean[] = [];
    for (let processIndex = 0; processIndex < 2; processIndex++) {
      await connectAsNewProcess();
      for (let call = 0; call < 4; call++) results.push((await consumePoints(limit, "x")).allowed);
      if (processIndex === 0) await closeLimiter();
    }
    expect(results).toEqual([...Array(5).fill(true), ...Array(3).fill(false)]);
    const warnSpy = vi.spyOn(log, "warn").mockImplementation(() => {});
    onTestFinished(() => warnSpy.mockRestore());
    redis.kill();
    const remainingWithoutRedis: number[] = [];
    for (let call = 0; call < 7; call++)
      remainingWithoutRedis.push((await consumePoints(limit, "x")).remaining);
    expect(remainingWithoutRedis).toEqual([4, 3, 2, 1, 0, 0, 0]);
    expect(warnSpy.mock.calls.map(([line]) => (line as unknown as { event: string }).event)).toEqual([
      "redis.away",
    ]);
  },
);
