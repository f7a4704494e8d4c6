import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createSocketPath, removeAbandonedSockets } from "./socket";

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

async function startListener(path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", LISTENER, path], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  await once(child.stdout!, "data");
  return child;
}

function createSocketPathFor(pid: number): string {
  return join(mkdtempSync(createSocketPath().replace(/-\d+-.*/, `-${pid}-`)), "socket");
}

async function killAndWait(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

it("removes only the sockets of killed servers", async () => {
  const exitedProcess = spawn(process.execPath, ["-e", ""]);
  await once(exitedProcess, "exit");
  const killedSocket = createSocketPathFor(exitedProcess.pid!);
  await killAndWait(await startListener(killedSocket));
  const unusedSocket = createSocketPathFor(exitedProcess.pid!);
  utimesSync(dirname(unusedSocket), 0, 0);
  const startingSocket = createSocketPathFor(exitedProcess.pid!);
  // From the previous process in a restarted container.
  const previousSocket = createSocketPathFor(process.pid);
  await killAndWait(await startListener(previousSocket));
  // From a running server whose renderer died and is being restarted.
  const restartingSocket = createSocketPathFor(process.ppid);
  await killAndWait(await startListener(restartingSocket));
  // From another container, whose processes are invisible here.
  const otherContainerSocket = createSocketPathFor(exitedProcess.pid!);
  await startListener(otherContainerSocket);
  const ownSocket = createSocketPath();

  await removeAbandonedSockets();
  const exists = (path: string) => existsSync(dirname(path));
  expect([killedSocket, unusedSocket, previousSocket].map(exists)).toEqual([false, false, false]);
  expect([startingSocket, restartingSocket, otherContainerSocket, ownSocket].map(exists)).toEqual([
    true,
    true,
    true,
    true,
  ]);
});
