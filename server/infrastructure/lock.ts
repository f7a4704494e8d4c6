import { createHash } from "node:crypto";
import { access, constants, mkdir, realpath, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileError } from "./database/embedded-postgres/errors";

class DataDirectoryInUseError extends Error {
  override name = "DataDirectoryInUseError";
}

const TIMEOUT_MS = 600;

/** Creates the data directory, for processes that share it. Throws if it is not writable. */
export async function openDataDirectory(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
    .then(() => access(dataDir, constants.W_OK))
    .catch((error) => {
      throw fileError(error, dataDir);
    });
}

/** Locks the directory; returns the release. A listening socket, which the system closes with the process. */
export async function lockDataDirectory(dataDir: string): Promise<() => void> {
  await openDataDirectory(dataDir);
  // Resolved, so that a symbolic link uses the same lock.
  const dir = await realpath(dataDir);
  const path = socketPath(dir);
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(50)) {
    const server = await listen(path);
    if (server) return () => server.close();
    const holder = await askHolder(path);
    if (!holder) {
      // The socket file of a killed process; abstract sockets and pipes leave no file.
      if (path.startsWith("/")) await rm(path, { force: true });
    } else if (holder === String(process.pid) || Date.now() > deadline) {
      throw new DataDirectoryInUseError(
        `The data directory ${dir} is in use by process ${holder}; stop that one first, or set DATA_DIR to another directory.`,
      );
    }
    if (Date.now() > deadline) {
      throw new DataDirectoryInUseError(`The data directory ${dir} is in use by another process.`);
    }
  }
}

/** Maximum bytes of a socket path; the smallest limit is that of macOS. */
const SOCKET_PATH = 103;

/** Abstract on Linux, a pipe on Windows, otherwise a file, in the directory if the path is short enough. */
export function socketPath(dir: string, platform = process.platform): string {
  const name = `tellal-${createHash("sha256").update(dir).digest("hex").slice(0, 32)}`;
  if (platform === "linux") return `\0${name}`;
  if (platform === "win32") return `\\\\.\\pipe\\${name}`;
  const local = join(dir, "lock.sock");
  return Buffer.byteLength(local) <= SOCKET_PATH ? local : `/tmp/${name}.sock`;
}

/** Returns undefined if another process holds the lock. Sends our pid to every client. */
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
    // A holder that is stopped or busy still holds the lock.
    socket.setTimeout(200, () => done("(not answering)"));
    socket.on("data", (chunk) => (response += chunk));
    socket.on("end", () => done(response || undefined));
    socket.on("error", () => done());
  });
}
