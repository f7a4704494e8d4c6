import { createHash } from "node:crypto";
import { access, constants, mkdir, realpath, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileError } from "./database/embedded-postgres/errors";

/** Another process serves this data directory; the message says which. */
class DataDirectoryInUseError extends Error {
  override name = "DataDirectoryInUseError";
}

/** A process that is being killed releases the lock within this time; the refusal still comes within a second. */
const PATIENCE_MS = 600;

/** Makes the data directory, for processes that share its files. Throws a sentence when it cannot be written to. */
export async function openDataDirectory(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
    .then(() => access(dataDir, constants.W_OK))
    .catch((error) => {
      throw fileError(error, dataDir);
    });
}

/**
 * Takes the data directory for this process alone; the returned function releases it. A listening socket is the lock:
 * the system closes it with its process, however that ends, so nothing stale remains.
 */
export async function lockDataDirectory(dataDir: string): Promise<() => void> {
  await openDataDirectory(dataDir);
  // The real path, so that a symbolic link to the directory is the same directory.
  const dir = await realpath(dataDir);
  const path = socketPath(dir);
  for (const giveUpAt = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    const server = await listen(path);
    if (server) return () => server.close();
    const holder = await askHolder(path);
    if (!holder) {
      // Nobody listens behind the socket file: its process was killed. Abstract sockets and pipes leave no file.
      if (path.startsWith("/")) await rm(path, { force: true });
    } else if (holder === String(process.pid) || Date.now() > giveUpAt) {
      throw new DataDirectoryInUseError(
        `The data directory ${dir} is in use by process ${holder}; stop that one first, or set DATA_DIR to another directory.`,
      );
    }
    if (Date.now() > giveUpAt) {
      throw new DataDirectoryInUseError(`The data directory ${dir} is in use by another process.`);
    }
  }
}

/** Bytes that the shortest-spoken system, macOS, takes as the path of a socket. */
const SOCKET_PATH = 103;

/** Where a directory's lock is: in the system's own names on Linux and Windows, else a file, near when its path fits. */
export function socketPath(dir: string, platform = process.platform): string {
  const name = `tellal-${createHash("sha256").update(dir).digest("hex").slice(0, 32)}`;
  if (platform === "linux") return `\0${name}`;
  if (platform === "win32") return `\\\\.\\pipe\\${name}`;
  const near = join(dir, "lock.sock");
  return Buffer.byteLength(near) <= SOCKET_PATH ? near : `/tmp/${name}.sock`;
}

/** Returns undefined when another process holds the lock. Sends our pid to each process that connects. */
function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((client) => {
      client.on("error", () => {});
      client.end(String(process.pid));
    });
    server.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(undefined);
      else reject(error);
    });
    server.listen(path, () => resolve(server.unref()));
  });
}

function askHolder(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let response = "";
    const socket = connect(path);
    const done = (value?: string) => {
      socket.destroy();
      resolve(value);
    };
    // A holder that does not respond (stopped, or busy) still holds the lock.
    socket.setTimeout(200, () => done("(not answering)"));
    socket.on("data", (chunk) => (response += chunk));
    socket.on("end", () => done(response || undefined));
    socket.on("error", () => done());
  });
}
