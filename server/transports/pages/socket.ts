import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MINUTE } from "@/server/core/time";

const DIRECTORY_PREFIX = "tellal-pages-";
const SOCKET_NAME = "socket";

/** Grace period for a starting process, which has no socket yet. */
const START_GRACE_MS = 10 * MINUTE;

export function createSocketPath(platform = process.platform): string {
  // Windows uses named pipes, which are not files.
  if (platform === "win32")
    return `\\\\.\\pipe\\${DIRECTORY_PREFIX}${process.pid}-${randomBytes(16).toString("hex")}`;
  return join(mkdtempSync(join(tmpdir(), `${DIRECTORY_PREFIX}${process.pid}-`)), SOCKET_NAME);
}

/** A socket may be in use although its process is invisible: containers can share the directory. */
export async function removeAbandonedSockets(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(
      /^(\d+)-/.exec(name.startsWith(DIRECTORY_PREFIX) ? name.slice(DIRECTORY_PREFIX.length) : "")?.[1],
    );
    // In a container, the previous server often had the same process id.
    if (!pid || (pid !== process.pid && isRunning(pid))) continue;
    const directory = join(tmpdir(), name);
    const stats = await lstat(directory).catch(() => undefined);
    // Removed by another starting server, or owned by another user.
    if (!stats || stats.uid !== process.getuid?.()) continue;
    const connectError = await getConnectError(join(directory, SOCKET_NAME));
    const isAbandoned =
      connectError === "ECONNREFUSED" ||
      (connectError === "ENOENT" && Date.now() - stats.mtimeMs > START_GRACE_MS);
    if (isAbandoned) await rm(directory, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function getConnectError(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const connection = connect(path, () => {
      connection.destroy();
      resolve(undefined);
    });
    connection.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
}
