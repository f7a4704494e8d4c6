import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { findFreePort } from "@/server/testing/ports";
import { ServerProcess } from "../server-process";

const PRODUCTION_SETTINGS = {
  APP_MODE: "production",
  APP_URL: "https://panel.example.com",
  APP_SECRET: "q8V1nXx5mJ0l2TtWc7uZ4rEo9sKd3PbYhAfGvBiN",
};

function runServerUntilExit(settings: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), "tellal-start-"));
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["dist/main.js"], {
      env: { PATH: process.env.PATH, NODE_ENV: "production", DATA_DIR: dataDir, ...settings },
      encoding: "utf8",
      timeout: 180_000,
    });
    return { status, stdout, stderr, files: readdirSync(dataDir) };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

test("a port in use is reported in one sentence, before anything is started", async () => {
  const blockingServer = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => blockingServer.once("listening", resolve));
  const { port } = blockingServer.address() as { port: number };
  try {
    for (const [settings, name] of [
      [{ PORT: String(port) }, "PORT"],
      [{ PORT: String(await findFreePort()), METRICS_PORT: String(port) }, "METRICS_PORT"],
    ] as const)
      expect(runServerUntilExit(settings)).toEqual({
        status: 1,
        stdout: "",
        stderr: `\n  Port ${port} is taken by another program; choose another one with ${name}=\n\n`,
        files: [],
      });
  } finally {
    blockingServer.close();
  }
});

test("an address of another machine is reported with its setting", () => {
  const { stderr, files } = runServerUntilExit({ ...PRODUCTION_SETTINGS, HOST: "192.0.2.1" });
  expect(stderr).toBe("\n  HOST: this machine does not have the address 192.0.2.1\n\n");
  expect(files).toEqual([]);
});

test("a start logs nothing, and a graceful stop only `stopping` and `stopped`", async () => {
  const server = await ServerProcess.create({ LOG_LEVEL: "info" });
  try {
    await server.start();
    const credentials = { email: "customer@example.com", password: "demo-password" };
    await Promise.all(
      Array.from({ length: 20 }, () => server.call("POST", "/api/auth/login", { body: credentials })),
    );
    expect(await server.stop()).toBe(0);
    const lines = server.output.split("\n").filter((line) => line !== "" && !line.startsWith("  "));
    const entries = lines.map((line) => line.replace(/"time":"[^"]*",/, ""));
    // Stalls may happen on a busy machine.
    expect(entries.filter((line) => !/"event":"(request|event_loop\.stalled)"/.test(line))).toEqual([
      '{"level":"info","event":"stopping","signal":"SIGTERM"}',
      '{"level":"info","event":"stopped"}',
    ]);
  } finally {
    await server.dispose();
  }
});

test("a stop during the start also stops the database", async () => {
  const server = await ServerProcess.create({ LOG_LEVEL: "info" });
  try {
    const startResult = server.start().catch(() => "ended");
    await expect.poll(() => server.readPostgresPid(), { intervals: [20] }).toBeDefined();
    expect(await server.stop()).toBe(0);
    expect(server.readPostgresPid()).toBeUndefined();
    expect(await startResult).toBe("ended");
    expect(server.output).not.toMatch(/"level":"(warn|error)"/);
    expect(server.output).toMatch(/"event":"stopped"\}\n$/);
  } finally {
    await server.dispose();
  }
});
