import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { newSocketPath, sweepSockets } from "./socket";

const LISTENER = 'require("net").createServer().listen(process.argv[1], () => console.log("up"))';
const children: ChildProcess[] = [];
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "tellal-sweep-"));
  vi.stubEnv("TMPDIR", directory);
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true, force: true });
});

/** Starts a process that listens at a path. */
async function listener(path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", LISTENER, path], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  await once(child.stdout!, "data");
  return child;
}

/** Returns a path as `newSocketPath` of a process with this id does. */
function socketOf(pid: number): string {
  return join(mkdtempSync(newSocketPath().replace(/-\d+-.*/, `-${pid}-`)), "socket");
}

async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

it("removes what a killed server has left, and nothing else", async () => {
  const gone = spawn(process.execPath, ["-e", ""]);
  await once(gone, "exit");
  const left = socketOf(gone.pid!);
  await end(await listener(left));
  // Killed before it listened.
  const early = socketOf(gone.pid!);
  utimesSync(dirname(early), 0, 0);
  const starting = socketOf(gone.pid!);
  // Of the process before this one, in a container that has started again.
  const former = socketOf(process.pid);
  await end(await listener(former));
  // Its pages have died, and the server starts them again.
  const restarting = socketOf(process.ppid);
  await end(await listener(restarting));
  // Of a server in another container: its process is not to be seen.
  const elsewhere = socketOf(gone.pid!);
  await listener(elsewhere);
  const own = newSocketPath();

  await sweepSockets();
  const still = (path: string) => existsSync(dirname(path));
  expect([left, early, former].map(still)).toEqual([false, false, false]);
  expect([starting, restarting, elsewhere, own].map(still)).toEqual([true, true, true, true]);
});
