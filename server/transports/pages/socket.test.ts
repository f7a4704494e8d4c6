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

async function listener(path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", LISTENER, path], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  await once(child.stdout!, "data");
  return child;
}

function socketOf(pid: number): string {
  return join(mkdtempSync(newSocketPath().replace(/-\d+-.*/, `-${pid}-`)), "socket");
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

it("removes only the sockets of killed servers", async () => {
  const gone = spawn(process.execPath, ["-e", ""]);
  await once(gone, "exit");
  const killed = socketOf(gone.pid!);
  await kill(await listener(killed));
  // Killed before listening.
  const early = socketOf(gone.pid!);
  utimesSync(dirname(early), 0, 0);
  const starting = socketOf(gone.pid!);
  // From the previous process in a restarted container.
  const former = socketOf(process.pid);
  await kill(await listener(former));
  // Its pages died and are being restarted.
  const restarting = socketOf(process.ppid);
  await kill(await listener(restarting));
  // From another container, whose processes are invisible here.
  const elsewhere = socketOf(gone.pid!);
  await listener(elsewhere);
  const own = newSocketPath();

  await sweepSockets();
  const exists = (path: string) => existsSync(dirname(path));
  expect([killed, early, former].map(exists)).toEqual([false, false, false]);
  expect([starting, restarting, elsewhere, own].map(exists)).toEqual([true, true, true, true]);
});
