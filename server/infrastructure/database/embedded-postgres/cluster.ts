import { randomBytes } from "node:crypto";
import {
  chown,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { POSTGRES_MAJOR } from "./binaries";
import { createDiskFullError, DatabaseStartError, toDatabaseStartError } from "./errors";
import { runAs, type SystemUser } from "./system-user";

/** Superuser; the application connects as an ordinary role, see database-role.ts. */
export const SUPERUSER = "postgres";

/** Passed on each start, so that a release can change them. The machine also runs the application. */
export function buildServerArguments(port: number, ephemeral: boolean): string[] {
  const settings: Record<string, string | number> = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: ephemeral ? 100 : 60,
    shared_buffers: "128MB",
    effective_cache_size: "512MB",
    min_wal_size: "80MB",
    max_wal_size: "512MB",
    random_page_cost: 1.1,
    io_method: "sync",
    // The application needs cores, too: one core per statement, no JIT compilation.
    max_parallel_workers_per_gather: 0,
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    // Not logged: statement errors contain key values, which may be personal data.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_checkpoints: "off",
    log_line_prefix: "",
    ...(ephemeral ? { fsync: "off", full_page_writes: "off", synchronous_commit: "off" } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

export async function ensureSuperuserPassword(dataDir: string): Promise<string> {
  const passwordFile = join(dataDir, "postgres.password");
  try {
    const storedPassword = (await readFile(passwordFile, "utf8")).trim();
    if (storedPassword) return storedPassword;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw toDatabaseStartError(error, dataDir);
  }
  if (await readClusterVersion(dataDir)) {
    throw new DatabaseStartError(
      `The file ${passwordFile} is missing; put it back from a backup of the data directory.`,
    );
  }
  const password = randomBytes(32).toString("hex");
  await writeDurably(passwordFile, password);
  return password;
}

/** Writes, syncs and renames: after a power failure the file is complete or missing. */
async function writeDurably(file: string, text: string): Promise<void> {
  const temporaryFile = `${file}.new`;
  const handle = await open(temporaryFile, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporaryFile, file);
}

async function readClusterVersion(dataDir: string): Promise<string | undefined> {
  const version = await readFile(join(dataDir, "postgres", "PG_VERSION"), "utf8").catch((error) => {
    if (error.code === "ENOENT") return undefined;
    throw toDatabaseStartError(error, dataDir);
  });
  return version?.trim();
}

/** Creates a missing cluster (returns true), under a temporary name so that a kill does no harm. */
export async function initialiseCluster(input: {
  systemUser: SystemUser;
  binariesDir: string;
  dataDir: string;
  password: string;
  ephemeral: boolean;
}): Promise<boolean> {
  const { systemUser, binariesDir, dataDir, password, ephemeral } = input;
  const version = await readClusterVersion(dataDir);
  if (version === POSTGRES_MAJOR) return false;
  if (version) {
    throw new DatabaseStartError(
      `The data in ${join(dataDir, "postgres")} is of PostgreSQL ${version}, this release has ${POSTGRES_MAJOR}; run ` +
        "npm run backup with the release that wrote it, and npm run restore with this one into an empty DATA_DIR, " +
        "as docs/operating.md says.",
    );
  }
  const temporaryDir = join(dataDir, "postgres.new");
  const passwordFile = join(dataDir, "postgres.initial");
  try {
    await rm(temporaryDir, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
    await mkdir(temporaryDir, { mode: 0o700 });
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (systemUser.uid !== undefined) {
      for (const path of [temporaryDir, passwordFile]) await chown(path, systemUser.uid, systemUser.gid!);
    }
    const { code, output } = await runAs(systemUser, join(binariesDir, "bin", "initdb"), [
      `--pgdata=${temporaryDir}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // The built-in provider is the same everywhere; with the system's tr_TR, lower('I') would not be 'i'.
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      "--no-instructions",
      ...(ephemeral ? ["--no-sync"] : []),
    ]);
    if (code !== 0) throw buildErrorFromOutput(output, dataDir);
    await writeFile(join(temporaryDir, "pg_hba.conf"), "host all all 127.0.0.1/32 scram-sha-256\n");
    await rm(passwordFile, { force: true });
    await rename(temporaryDir, join(dataDir, "postgres"));
    return true;
  } catch (error) {
    await rm(temporaryDir, { recursive: true, force: true }).catch(() => {});
    await rm(passwordFile, { force: true }).catch(() => {});
    throw toDatabaseStartError(error, dataDir);
  }
}

export function buildErrorFromOutput(output: string, dataDir: string): DatabaseStartError {
  if (/No space left on device|Disk quota exceeded/.test(output)) return createDiskFullError(dataDir);
  const line = output.split("\n").findLast((text) => /FATAL|PANIC|error:|could not/.test(text));
  const reason = (line ?? output.trim().split("\n").at(-1) ?? "").replace(
    /^(FATAL|PANIC|initdb: error):\s*/,
    "",
  );
  return new DatabaseStartError(
    `The embedded database in ${dataDir} did not start: ${reason || "no reason given"}.`,
  );
}

export interface RunningServer {
  pid: number;
  port: number;
  status: string;
}

/** Returns the running server. Removes a pid file whose pid was reused, which would prevent a start. */
export async function findRunningServer(clusterDir: string): Promise<RunningServer | undefined> {
  const pidFile = join(clusterDir, "postmaster.pid");
  const pidFileText = await readFile(pidFile, "utf8").catch(() => "");
  const lines = pidFileText.split("\n").map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!pid) return undefined;
  if (!(await isAlive(pid))) return undefined;
  if (!(await isRunningIn(pid, clusterDir))) {
    await rm(pidFile, { force: true }).catch(() => {});
    return undefined;
  }
  return { pid, port: Number(lines[3]), status: lines[7] ?? "starting" };
}

/** Tests whether a process exists and is not a zombie. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) !== "Z";
}

async function isRunningIn(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const [cwd, dir] = await Promise.all([readlink(`/proc/${pid}/cwd`).catch(() => ""), realpath(clusterDir)]);
  return cwd === dir;
}

/** Kills back ends of a killed server, which hold its shared memory while a statement runs. */
export async function killOrphans(clusterDir: string): Promise<void> {
  if (process.platform !== "linux") return;
  for (const entry of await readdir("/proc")) {
    const pid = Number(entry);
    if (!pid || !(await isRunningIn(pid, clusterDir))) continue;
    const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (!commandLine.startsWith("postgres: ")) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Already ended.
    }
  }
}

/** Returns the previous port if it is free, otherwise a free one, which is stored. */
export async function choosePort(dataDir: string): Promise<number> {
  const portFile = join(dataDir, "postgres.port");
  const previousPort = Number(await readFile(portFile, "utf8").catch(() => ""));
  if (previousPort && (await tryListen(previousPort))) return previousPort;
  const port = (await tryListen(0))!;
  await writeFile(portFile, String(port)).catch((error) => {
    throw toDatabaseStartError(error, dataDir);
  });
  return port;
}

function tryListen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : undefined));
    });
  });
}
