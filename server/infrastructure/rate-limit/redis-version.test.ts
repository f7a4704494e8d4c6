import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { closeLimiter } from "./limiter";

/** A Redis that tells its version, and nothing else. */
async function redisOf(version: string): Promise<void> {
  const info = `# Server\r\nredis_version:${version}\r\n`;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      for (const command of chunk
        .toString()
        .split(/^\*\d+\r\n/m)
        .filter(Boolean))
        socket.write(/info/i.test(command) ? `$${info.length}\r\n${info}\r\n` : "+OK\r\n");
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("REDIS_URL", `redis://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Connects as a process does that has just read its settings. */
async function connect(): Promise<void> {
  vi.resetModules();
  await (await import("./limiter")).connectLimiter();
}

afterEach(closeLimiter);

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
