import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, openSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "@/server/testing/ports";
import { buildRequest, sendRequest } from "./load";
import { findPagesProcess } from "./processes";

export interface Server {
  name: string;
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Cores of the servers and of the load generator; the database may use both. */
const SERVER_CORE = "0";
const LOAD_CORE = "1";

export const isPinned = process.platform === "linux" && availableParallelism() >= 2 && hasTaskset();

function hasTaskset(): boolean {
  try {
    execFileSync("taskset", ["-cp", String(process.pid)], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Moves the load generator off the servers' core. Start the database first: it would inherit the core. */
export function moveSelfToLoadCore(): void {
  if (isPinned) execFileSync("taskset", ["-acp", LOAD_CORE, String(process.pid)], { stdio: "ignore" });
}

/** Moves a server's pages process to the load core, because only the API is measured. */
export function movePagesToLoadCore({ pid }: Pick<Server, "pid">): void {
  const pagesPid = findPagesProcess(pid);
  if (isPinned && pagesPid)
    execFileSync("taskset", ["-acp", LOAD_CORE, String(pagesPid)], { stdio: "ignore" });
}

/** Lets a server and its pages process use both cores, as in production. */
export function unpinServer({ pid }: Pick<Server, "pid">): void {
  if (!isPinned) return;
  for (const each of [pid, findPagesProcess(pid)])
    if (each)
      execFileSync("taskset", ["-acp", `${SERVER_CORE},${LOAD_CORE}`, String(each)], { stdio: "ignore" });
}

export function pinToServerCore(args: string[]): [command: string, args: string[]] {
  return isPinned ? ["taskset", ["-c", SERVER_CORE, process.execPath, ...args]] : [process.execPath, args];
}

const SERVER_COMMANDS = {
  // Skips the supervisor, so that the process id is the server's. Older builds have no supervisor.
  "HTTP server": (_port: number, root: string) => [
    existsSync(join(root, "dist/server-process.js")) ? "dist/server-process.js" : "dist/main.js",
  ],
  "next start": (port: number) => [
    "node_modules/next/dist/bin/next",
    "start",
    "-H",
    "127.0.0.1",
    "-p",
    `${port}`,
  ],
  "hand-written": () => ["--import", "tsx", "bench/hand-written.ts"],
  "hand-written files": () => ["--import", "tsx", "bench/hand-written-files.ts"],
};
export type ServerKind = keyof typeof SERVER_COMMANDS;

/** Returns the environment of a production server, without this process's own settings. */
export function buildServerEnv(overrides: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH ?? "",
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    APP_MODE: "production",
    APP_SECRET: "only-for-measuring-0123456789-0123456789",
    HOST: "127.0.0.1",
    TRUSTED_PROXY_HOPS: "1",
    UV_THREADPOOL_SIZE: String(Math.max(2, availableParallelism())),
    ...overrides,
  };
}

/** Starts a server of the build in `root`, with log and data in `directory`, and waits until it responds. */
export async function startServer(
  kind: ServerKind,
  databaseUrl: string,
  directory: string,
  { root = process.cwd(), env = {} }: { root?: string; env?: Record<string, string> } = {},
): Promise<Server> {
  if (!existsSync(join(root, "dist/main.js")) || !existsSync(join(root, ".next/BUILD_ID")))
    throw new Error(`there is no production build in ${root}; run npm run build there first`);
  const port = await findFreePort();
  const logFile = join(directory, `${port}.log`);
  const logDescriptor = openSync(logFile, "w");
  const child = spawn(...pinToServerCore(SERVER_COMMANDS[kind](port, root)), {
    cwd: root,
    stdio: ["ignore", logDescriptor, logDescriptor],
    env: buildServerEnv({
      PORT: String(port),
      APP_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(directory, String(port)),
      ...env,
    }),
  });
  const server = { name: kind, port, pid: child.pid!, stop: () => stopProcess(child) };
  await waitForResponse(child, port).catch(async (error: Error) => {
    await server.stop();
    throw new Error(`${kind} ${error.message}\n${readFileSync(logFile, "utf8").slice(-2000)}`);
  });
  movePagesToLoadCore(server);
  return server;
}

async function waitForResponse(child: ChildProcess, port: number): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
    if (child.exitCode !== null) throw new Error("exited while starting");
    const response = await sendRequest(port, buildRequest("GET", "/api/auth/user", {})).catch(
      () => undefined,
    );
    if (response?.status === 401) return;
  }
  throw new Error("does not respond");
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode) return;
  const exitPromise = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const killTimer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await exitPromise;
  clearTimeout(killTimer);
}
