import { createHash } from "node:crypto";
import { access, constants, mkdir, realpath, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toDatabaseStartError } from "./database/embedded-postgres/errors";

class DataDirectoryInUseError extends Error {
  override name = "DataDirectoryInUseError";
}

const LOCK_TIMEOUT_MS = 600;

/** Creates the data directory, for processes that share it. Throws if it is not writable. */
export async function ensureDataDirectory(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
    .then(() => access(dataDir, constants.W_OK))
    .catch((error) => {
      throw toDatabaseStartError(error, dataDir);
    });
}

/** Locks the directory and returns the unlock. The lock is a socket that the system closes on exit. */
export async function lockDataDirectory(dataDir: string): Promise<() => void> {
  await ensureDataDirectory(dataDir);
  // Resolved, so that a symbolic link uses the same lock.
  const dir = await realpath(dataDir);
  const socketPath = toSocketPath(dir);
  for (const deadline = Date.now() + LOCK_TIMEOUT_MS; ; await sleep(50)) {
    const server = await tryListen(socketPath);
    if (server) return () => server.close();
    const holderPid = await findHolderPid(socketPath);
    if (!holderPid) {
      // The socket file of a killed process; abstract sockets and pipes leave no file.
      if (socketPath.startsWith("/")) await rm(socketPath, { force: true });
    } else if (holderPid === String(process.pid) || Date.now() > deadline) {
      throw new DataDirectoryInUseError(
        `The data directory ${dir} is in use by process ${holderPid}; stop that one first, or set DATA_DIR to another directory.`,
      );
    }
    if (Date.now() > deadline) {
      throw new DataDirectoryInUseError(`The data directory ${dir} is in use by another process.`);
    }
  }
}

/** Maximum bytes of a socket path; the smallest limit is that of macOS. */
const MAX_SOCKET_PATH_BYTES = 103;

/** Returns an abstract socket on Linux, a pipe on Windows, else a file, in `dir` if the path is short. */
export function toSocketPath(dir: string, platform = process.platform): string {
  const socketName = `tellal-${createHash("sha256").update(dir).digest("hex").slice(0, 32)}`;
  if (platform === "linux") return `\0${socketName}`;
  if (platform === "win32") return `\\\\.\\pipe\\${socketName}`;
  const localPath = join(dir, "lock.sock");
  return Buffer.byteLength(localPath) <= MAX_SOCKET_PATH_BYTES ? localPath : `/tmp/${socketName}.sock`;
}

/** Returns undefined if another process holds the lock. Sends our pid to every client. */
function tryListen(socketPath: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((client) => {
      client.on("error", () => {});
      client.end(String(process.pid));
    });
    server.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(undefined);
      else reject(error);
    });
    server.listen(socketPath, () => resolve(server.unref()));
  });
}

function findHolderPid(socketPath: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let response = "";
    const socket = connect(socketPath);
    const finish = (holderPid?: string) => {
      socket.destroy();
      resolve(holderPid);
    };
    // A holder that is stopped or busy still holds the lock.
    socket.setTimeout(200, () => finish("(not answering)"));
    socket.on("data", (chunk) => (response += chunk));
    socket.on("end", () => finish(response || undefined));
    socket.on("error", () => finish());
  });
}
