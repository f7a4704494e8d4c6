import type { ChildProcess } from "node:child_process";
import { mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "../../core/log";
import { type Account, chooseAccount, makeReachable, runAs, spawnAs } from "./embedded-postgres/account";
import { locateBinaries } from "./embedded-postgres/binaries";
import {
  choosePort,
  endOrphans,
  findRunning,
  initialise,
  isAlive,
  type Running,
  serverSettings,
  startFailure,
  superuserPassword,
} from "./embedded-postgres/cluster";
import { fileError } from "./embedded-postgres/errors";
import { prepareDatabase, type Urls, urlsOf } from "./embedded-postgres/prepare";
import { watchOverDatabase } from "./embedded-postgres/watcher";

export { DatabaseStartError } from "./embedded-postgres/errors";

/** Embedded PostgreSQL server, restarted automatically until `stop`. */
export interface EmbeddedPostgres extends Urls {
  readonly pid: number;
  /** Shuts down in PostgreSQL's fast mode: open transactions are rolled back. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  /** For tests and tools: without durability; the directory is removed when this process ends in any way. */
  ephemeral?: boolean;
}

const WINDOWS = process.platform === "win32";

/** Maximum wait for a killed server's shared memory to be released. */
const START_TIMEOUT_MS = 10_000;

/** Starts PostgreSQL, or takes over a running one. The caller must hold the lock of the data directory. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { ephemeral = false } = options;
  const requested = options.dataDir;
  await mkdir(requested, { recursive: true }).catch((error) => {
    throw fileError(error, requested);
  });
  const dataDir = await realpath(requested);
  const clusterDir = join(dataDir, "postgres");
  const account = await makeReachable(await chooseAccount(clusterDir), dataDir);
  const password = await superuserPassword(dataDir).catch((error) => {
    throw fileError(error, dataDir);
  });
  const binaries = await locateBinaries(account, dataDir);
  const fresh = await initialise({ account, binaries, dataDir, password, ephemeral });
  const server = new Server({ account, binaries, dataDir, clusterDir, ephemeral });
  try {
    await server.ensureRunning();
    const urls = await prepareDatabase(server.port, password, fresh);
    const dismissWatcher = await watchOverDatabase(dataDir, ephemeral);
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
    throw fileError(error, dataDir);
  }
}

export async function findEmbeddedPostgres(dataDir: string): Promise<Urls | undefined> {
  const running = await findRunning(join(await realpath(dataDir), "postgres"));
  if (running?.status !== "ready") return undefined;
  return urlsOf(running.port, await superuserPassword(dataDir));
}

interface Place {
  account: Account;
  binaries: string;
  dataDir: string;
  clusterDir: string;
  ephemeral: boolean;
}

class Server {
  pid = 0;
  port = 0;
  private stopping = false;

  constructor(private readonly place: Place) {}

  /** Waits until a server, existing or new, accepts connections. */
  async ensureRunning(): Promise<void> {
    const { clusterDir, dataDir } = this.place;
    for (const deadline = Date.now() + START_TIMEOUT_MS; ; await sleep(50)) {
      const running = await findRunning(clusterDir);
      if (running) {
        if (await this.settle(running)) return;
        continue;
      }
      await endOrphans(clusterDir);
      const output = await this.launch();
      if (output === undefined) return;
      const transientFailure =
        /pre-existing shared memory block|postmaster\.pid" already exists|Address already in use/;
      if (!transientFailure.test(output) || Date.now() > deadline) throw startFailure(output, dataDir);
    }
  }

  /** Waits until the server is ready (true) or gone (false). */
  private async settle({ pid }: Running): Promise<boolean> {
    for (;;) {
      const now = await findRunning(this.place.clusterDir);
      if (!now || now.pid !== pid) return false;
      if (now.status === "ready") {
        this.pid = now.pid;
        this.port = now.port;
        return true;
      }
      await sleep(20);
    }
  }

  /** Starts a server. Returns undefined once it is ready, or its output if it exited. */
  private async launch(): Promise<string | undefined> {
    const { account, binaries, dataDir, clusterDir, ephemeral } = this.place;
    // Restarts must use the same port, which connection pools already know.
    const port = this.port || (await choosePort(dataDir));
    const args = ["-D", clusterDir, ...serverSettings(port, ephemeral)];
    const child = spawnAs(account, join(binaries, "bin", "postgres"), args, {
      // Own process group: on Ctrl+C the application finishes its requests first. Windows achieves that with
      // a hidden console; there is no watcher, so the server ends with this process.
      detached: !WINDOWS,
      windowsHide: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const printed = collectOutput(child);
    let ended = false;
    child.on("error", () => (ended = true));
    child.on("close", () => (ended = true));
    while (!ended) {
      const running = await findRunning(clusterDir);
      if (running?.pid === child.pid && running?.status === "ready") {
        this.pid = running.pid;
        this.port = port;
        release(child);
        return undefined;
      }
      await sleep(15);
    }
    return printed();
  }

  supervise(): void {
    let failures = 0;
    const check = async () => {
      if (this.stopping) return;
      try {
        if (!(await isAlive(this.pid))) {
          log.warn({ pid: this.pid }, "database: the server ended, starting it again");
          await this.ensureRunning();
          if (this.stopping) return void (await this.stop());
          log.info({ pid: this.pid }, "database: the server is back");
        }
        failures = 0;
      } catch (error) {
        failures += 1;
        log.error({ reason: (error as Error).message }, "database: the server does not start");
      }
      setTimeout(check, Math.min(200 * 2 ** failures, 5_000)).unref();
    };
    setTimeout(check, 200).unref();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    if (!this.pid) return;
    await this.signal("INT");
    const quitAt = Date.now() + 20_000;
    while (await isAlive(this.pid)) {
      if (Date.now() > quitAt) await this.signal("QUIT");
      await sleep(20);
    }
  }

  private async signal(name: "INT" | "QUIT"): Promise<void> {
    const { account, binaries } = this.place;
    try {
      // On Windows, kill() would crash the server; pg_ctl emulates signals.
      if (WINDOWS) await runAs(account, join(binaries, "bin", "pg_ctl"), ["kill", name, String(this.pid)]);
      else process.kill(this.pid, `SIG${name}`);
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
function release(child: ChildProcess): void {
  child.unref();
  (child.stderr as unknown as { unref?(): void })?.unref?.();
}
