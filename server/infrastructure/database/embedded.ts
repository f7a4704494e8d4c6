import type { ChildProcess } from "node:child_process";
import { mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "../../core/log";
import { findBinariesDir } from "./embedded-postgres/binaries";
import {
  buildErrorFromOutput,
  buildServerArguments,
  choosePort,
  ensureSuperuserPassword,
  findRunningServer,
  initialiseCluster,
  isAlive,
  killOrphans,
  type RunningServer,
} from "./embedded-postgres/cluster";
import {
  buildDatabaseUrls,
  type DatabaseUrls,
  ensureDatabaseAndRole,
} from "./embedded-postgres/database-role";
import { toDatabaseStartError } from "./embedded-postgres/errors";
import {
  chooseSystemUser,
  grantDirectoryAccess,
  runAs,
  type SystemUser,
  spawnAs,
} from "./embedded-postgres/system-user";
import { startDatabaseWatcher } from "./embedded-postgres/watcher";

export { DatabaseStartError } from "./embedded-postgres/errors";

/** Embedded PostgreSQL server, restarted automatically until `stop`. */
export interface EmbeddedPostgres extends DatabaseUrls {
  readonly pid: number;
  /** Shuts down in PostgreSQL's fast mode: open transactions are rolled back. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  /** For tests and tools: without durability; the directory is removed when this process ends in any way. */
  ephemeral?: boolean;
}

const IS_WINDOWS = process.platform === "win32";

/** Maximum wait for a killed server's shared memory to be released. */
const START_TIMEOUT_MS = 10_000;

/** Starts PostgreSQL, or takes over a running one. The caller must hold the lock of the data directory. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { ephemeral = false } = options;
  const requestedDir = options.dataDir;
  await mkdir(requestedDir, { recursive: true }).catch((error) => {
    throw toDatabaseStartError(error, requestedDir);
  });
  const dataDir = await realpath(requestedDir);
  const clusterDir = join(dataDir, "postgres");
  const systemUser = await grantDirectoryAccess(await chooseSystemUser(clusterDir), dataDir);
  const password = await ensureSuperuserPassword(dataDir).catch((error) => {
    throw toDatabaseStartError(error, dataDir);
  });
  const binariesDir = await findBinariesDir(systemUser, dataDir);
  const isNewCluster = await initialiseCluster({ systemUser, binariesDir, dataDir, password, ephemeral });
  const server = new Server({ systemUser, binariesDir, dataDir, clusterDir, ephemeral });
  try {
    await server.ensureRunning();
    const urls = await ensureDatabaseAndRole(server.port, password, isNewCluster);
    const dismissWatcher = await startDatabaseWatcher(dataDir, ephemeral);
    server.supervise();
    return {
      ...urls,
      get pid() {
        return server.pid;
      },
      async stop() {
        dismissWatcher();
        await server.stop();
        if (ephemeral) await rm(dataDir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await server.stop();
    throw toDatabaseStartError(error, dataDir);
  }
}

export async function findEmbeddedPostgres(dataDir: string): Promise<DatabaseUrls | undefined> {
  const runningServer = await findRunningServer(join(await realpath(dataDir), "postgres"));
  if (runningServer?.status !== "ready") return undefined;
  return buildDatabaseUrls(runningServer.port, await ensureSuperuserPassword(dataDir));
}

interface ServerOptions {
  systemUser: SystemUser;
  binariesDir: string;
  dataDir: string;
  clusterDir: string;
  ephemeral: boolean;
}

class Server {
  pid = 0;
  port = 0;
  private isStopping = false;

  constructor(private readonly options: ServerOptions) {}

  async ensureRunning(): Promise<void> {
    const { clusterDir, dataDir } = this.options;
    for (const deadline = Date.now() + START_TIMEOUT_MS; ; await sleep(50)) {
      const runningServer = await findRunningServer(clusterDir);
      if (runningServer) {
        if (await this.waitUntilSettled(runningServer)) return;
        continue;
      }
      await killOrphans(clusterDir);
      const output = await this.launch();
      if (output === undefined) return;
      const transientFailure =
        /pre-existing shared memory block|postmaster\.pid" already exists|Address already in use/;
      if (!transientFailure.test(output) || Date.now() > deadline)
        throw buildErrorFromOutput(output, dataDir);
    }
  }

  /** Waits until the server is ready (true) or gone (false). */
  private async waitUntilSettled({ pid }: RunningServer): Promise<boolean> {
    for (;;) {
      const runningServer = await findRunningServer(this.options.clusterDir);
      if (!runningServer || runningServer.pid !== pid) return false;
      if (runningServer.status === "ready") {
        this.pid = runningServer.pid;
        this.port = runningServer.port;
        return true;
      }
      await sleep(20);
    }
  }

  /** Starts a server. Returns undefined once it is ready, or its output if it exited. */
  private async launch(): Promise<string | undefined> {
    const { systemUser, binariesDir, dataDir, clusterDir, ephemeral } = this.options;
    // Restarts must use the same port, which connection pools already know.
    const port = this.port || (await choosePort(dataDir));
    const args = ["-D", clusterDir, ...buildServerArguments(port, ephemeral)];
    const child = spawnAs(systemUser, join(binariesDir, "bin", "postgres"), args, {
      // Own process group: on Ctrl+C the application ends its requests first. Windows uses a hidden console.
      detached: !IS_WINDOWS,
      windowsHide: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const getOutput = collectOutput(child);
    let hasExited = false;
    child.on("error", () => (hasExited = true));
    child.on("close", () => (hasExited = true));
    while (!hasExited) {
      const runningServer = await findRunningServer(clusterDir);
      if (runningServer?.pid === child.pid && runningServer?.status === "ready") {
        this.pid = runningServer.pid;
        this.port = port;
        unrefChild(child);
        return undefined;
      }
      await sleep(15);
    }
    return getOutput();
  }

  supervise(): void {
    let failureCount = 0;
    const restartIfEnded = async () => {
      if (this.isStopping) return;
      try {
        if (!(await isAlive(this.pid))) {
          log.warn({ pid: this.pid }, "database: the server ended, starting it again");
          await this.ensureRunning();
          if (this.isStopping) return void (await this.stop());
          log.info({ pid: this.pid }, "database: the server is back");
        }
        failureCount = 0;
      } catch (error) {
        failureCount += 1;
        log.error({ reason: (error as Error).message }, "database: the server does not start");
      }
      setTimeout(restartIfEnded, Math.min(200 * 2 ** failureCount, 5_000)).unref();
    };
    setTimeout(restartIfEnded, 200).unref();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    if (!this.pid) return;
    await this.sendSignal("INT");
    const quitAt = Date.now() + 20_000;
    while (await isAlive(this.pid)) {
      if (Date.now() > quitAt) await this.sendSignal("QUIT");
      await sleep(20);
    }
  }

  private async sendSignal(signalName: "INT" | "QUIT"): Promise<void> {
    const { systemUser, binariesDir } = this.options;
    try {
      // On Windows, kill() would crash the server; pg_ctl emulates signals.
      if (IS_WINDOWS)
        await runAs(systemUser, join(binariesDir, "bin", "pg_ctl"), ["kill", signalName, String(this.pid)]);
      else process.kill(this.pid, `SIG${signalName}`);
    } catch {
      // Already ended.
    }
  }
}

/** Logs the server's output; the returned function returns its end. */
function collectOutput(child: ChildProcess): () => string {
  let output = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    const text = chunk.toString();
    output = (output + text).slice(-4_000);
    for (const line of text.split("\n")) {
      // Printed for every pooled connection at each shutdown.
      if (line.includes("due to administrator command")) continue;
      if (/^PANIC:|could not/.test(line)) log.warn({ line }, "database");
      else if (line) log.debug({ line }, "database");
    }
  });
  child.on("error", (error) => (output += `error: ${error.message}`));
  return () => output;
}

/** Lets this process exit while the server runs; the watcher then stops the server. */
function unrefChild(child: ChildProcess): void {
  child.unref();
  (child.stderr as unknown as { unref?(): void })?.unref?.();
}
