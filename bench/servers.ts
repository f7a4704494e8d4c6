import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, openSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/server/testing/ports";
import { ask, call } from "./load";
import { pagesOf } from "./processes";

/** A measured server. */
export interface Server {
  name: string;
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Cores of the servers and of the load generator; the database may use both. */
const SERVER_CORE = "0";
const LOAD_CORE = "1";

/** Whether processes can be pinned to cores here: Linux with at least two. */
export const pinned = process.platform === "linux" && availableParallelism() >= 2 && hasTaskset();

function hasTaskset(): boolean {
  try {
    execFileSync("taskset", ["-cp", String(process.pid)], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Moves this process, which generates the load, off the servers' core. The database must be running by now. */
export function moveToLoadCore(): void {
  if (pinned) execFileSync("taskset", ["-acp", LOAD_CORE, String(process.pid)], { stdio: "ignore" });
}

/** Moves the process that renders a server's pages to the database's core: the API is what is measured. */
export function movePages({ pid }: Pick<Server, "pid">): void {
  const pages = pagesOf(pid);
  if (pinned && pages) execFileSync("taskset", ["-acp", LOAD_CORE, String(pages)], { stdio: "ignore" });
}

/** Returns the command line of a Node.js program on the servers' core. */
export function onServerCore(args: string[]): [command: string, args: string[]] {
  return pinned ? ["taskset", ["-c", SERVER_CORE, process.execPath, ...args]] : [process.execPath, args];
}

/** The program of each kind of server; `node` resolves its modules from this directory. */
const PROGRAMS = {
  // Without the supervisor, so that the process id is the measured server's. Older builds have none.
  "front door": (_port: number, root: string) => [
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
export type Kind = keyof typeof PROGRAMS;

/** The settings of a production server, without our own environment. Also those of `bare-hashing.ts`. */
export function serverEnv(given: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH ?? "",
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    APP_MODE: "production",
    APP_SECRET: "only-for-measuring-0123456789-0123456789",
    HOST: "127.0.0.1",
    TRUSTED_PROXY_HOPS: "1",
    UV_THREADPOOL_SIZE: String(Math.max(2, availableParallelism())),
    ...given,
  };
}

/**
 * Starts a server on a database and waits until it responds. Its log goes to a file in `dir`. `root` is the checkout
 * whose build it runs, `env` are settings of its own.
 */
export async function startServer(
  kind: Kind,
  databaseUrl: string,
  dir: string,
  { root = process.cwd(), env = {} }: { root?: string; env?: Record<string, string> } = {},
): Promise<Server> {
  if (!existsSync(join(root, "dist/main.js")) || !existsSync(join(root, ".next/BUILD_ID")))
    throw new Error(`there is no production build in ${root}; run npm run build there first`);
  const port = await freePort();
  const logFile = join(dir, `${port}.log`);
  const output = openSync(logFile, "w");
  const child = spawn(...onServerCore(PROGRAMS[kind](port, root)), {
    cwd: root,
    stdio: ["ignore", output, output],
    env: serverEnv({
      PORT: String(port),
      APP_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(dir, String(port)),
      ...env,
    }),
  });
  const server = { name: kind, port, pid: child.pid!, stop: () => stop(child) };
  await answering(child, port).catch(async (error: Error) => {
    await server.stop();
    throw new Error(`${kind} ${error.message}\n${readFileSync(logFile, "utf8").slice(-2000)}`);
  });
  movePages(server);
  return server;
}

async function answering(child: ChildProcess, port: number): Promise<void> {
  for (const giveUpAt = Date.now() + 60_000; Date.now() < giveUpAt; await sleep(100)) {
    if (child.exitCode !== null) throw new Error("ended at once");
    const response = await ask(port, call("GET", "/api/auth/user", {})).catch(() => undefined);
    if (response?.status === 401) return;
  }
  throw new Error("does not respond");
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const impatience = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(impatience);
}
