import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MINUTE } from "@/server/core/time";

const PREFIX = "tellal-pages-";
const FILE = "socket";

/** A process that starts has no socket yet: longer than that takes on the slowest machine. */
const STARTED = 10 * MINUTE;

/** Returns a path for a socket, in a directory of this process that nobody else may look into. */
export function newSocketPath(platform = process.platform): string {
  // Windows has pipes for it, which are no files.
  if (platform === "win32") return `\\\\.\\pipe\\${PREFIX}${process.pid}-${randomBytes(16).toString("hex")}`;
  return join(mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`)), FILE);
}

/**
 * Removes the directories of servers that were killed along with their pages; of others, the pages process has. Somebody
 * may listen although the process is not there: containers that share the directory do not see each other's.
 */
export async function sweepSockets(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(/^(\d+)-/.exec(name.startsWith(PREFIX) ? name.slice(PREFIX.length) : "")?.[1]);
    // In a container, the server before this one often had the same id.
    if (!pid || (pid !== process.pid && lives(pid))) continue;
    const directory = join(tmpdir(), name);
    const found = await lstat(directory).catch(() => undefined);
    // Another server that starts has been quicker, or it is another user's.
    if (!found || found.uid !== process.getuid?.()) continue;
    const problem = await problemAt(join(directory, FILE));
    const abandoned =
      problem === "ECONNREFUSED" || (problem === "ENOENT" && Date.now() - found.mtimeMs > STARTED);
    if (abandoned) await rm(directory, { recursive: true, force: true });
  }
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Returns why nobody can be reached at a socket; undefined when somebody listens. */
function problemAt(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const line = connect(path, () => {
      line.destroy();
      resolve(undefined);
    });
    line.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
}
