import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Counter } from "prom-client";
import { log } from "@/server/core/log";
import { registry } from "@/server/core/metrics";
import { SECOND } from "@/server/core/time";
import { forwardTo, type PageHandler } from "./forward";
import { Queue } from "./queue";
import { newSocketPath, sweepSockets } from "./socket";

export type ToPages = { databaseUrl: string } | "measure";

export type FromPages = "ready" | { metrics: string };

const RETRY = 100;
/** Delays before restarts; reset once a process has run for a minute. */
const DELAYS = [0, 1, 2, 5, 10].map((seconds) => seconds * SECOND);
const STABLE_AFTER = 60 * SECOND;
/**
 * Lowers the priority so that the API responds while pages render on all cores. 5 leaves a third of the usual
 * CPU share, 10 a tenth, with which a page takes half a minute on a busy machine.
 */
const NICENESS = 5;
const LINUX = process.platform === "linux";
/** Heap limit in MB. Without one it grows to 500 MB; it needs about 200, and 300 under full load. */
const HEAP = "--max-old-space-size=360";

const starts = new Counter({
  name: "tellal_pages_starts_total",
  help: "Starts of the process that renders pages: more than one means that it died",
  registers: [registry],
});

/** Renders pages in a child process, so that rendering blocks nothing else; restarts it when it dies. */
export class PagesProcess {
  /** The child removes the socket and its directory when it ends. */
  private readonly socketPath = newSocketPath();
  private readonly forward = forwardTo(this.socketPath, new Queue({ isReady: () => this.serving }));
  private child!: ChildProcess;
  private served!: Promise<void>;
  private serving = false;
  private lowered: ChildProcess | undefined;
  private databaseUrl: string | undefined;
  private closing = false;
  private deaths = 0;

  constructor() {
    this.start();
    sweepSockets().catch((cause: unknown) => log.warn({ event: "pages.sockets_left", cause }));
  }

  connect(databaseUrl: string): Promise<void> {
    this.databaseUrl = databaseUrl;
    this.tell({ databaseUrl });
    return this.served;
  }

  readonly pages: PageHandler = async (req, res, body) => {
    const { child } = this;
    await this.forward(req, res, body);
    if (this.serving && this.child === child) this.lowerPriorityOnce(child);
  };

  /** Prometheus metrics of the child; undefined while it cannot respond. */
  async metrics(): Promise<string | undefined> {
    const { child } = this;
    if (!child.connected) return undefined;
    return new Promise((resolve) => {
      const done = (message?: FromPages) => {
        if (message === "ready") return;
        clearTimeout(clock);
        child.off("message", done);
        resolve(message?.metrics);
      };
      const clock = setTimeout(done, SECOND);
      child.on("message", done);
      this.tell("measure");
    });
  }

  async close(): Promise<void> {
    this.closing = true;
    if (this.child.connected) this.child.disconnect();
    const cut = setTimeout(() => this.child.kill("SIGKILL"), 5 * SECOND);
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "exit");
    clearTimeout(cut);
  }

  private start(): void {
    const startedAt = performance.now();
    const program = join(dirname(fileURLToPath(import.meta.url)), "pages.js");
    const child = fork(program, [this.socketPath], {
      execArgv: [HEAP],
      // Gives the child its own session, and thereby its own scheduling priority.
      detached: LINUX,
    });
    this.child = child;
    starts.inc();
    this.served = new Promise<void>((resolve, reject) => {
      child.on("message", (message: FromPages) => {
        if (message !== "ready") return;
        this.serving = true;
        resolve();
      });
      child.once("exit", () => {
        this.serving = false;
        if (this.closing) resolve();
        else reject(new PagesEnded());
      });
    });
    // Callers of `connect` handle it; the next child has its own promise.
    this.served.catch(() => {});
    child.on("error", (cause) => log.error({ event: "pages.failed", cause }));
    child.once("exit", (code, signal) => void this.restart(code, signal, performance.now() - startedAt));
    if (this.databaseUrl) this.tell({ databaseUrl: this.databaseUrl });
  }

  /** Not before its first page: that would make the start several times slower on a busy machine. */
  private lowerPriorityOnce(child: ChildProcess): void {
    if (this.lowered === child) return;
    this.lowered = child;
    void lowerPriority(child);
  }

  private async restart(code: number | null, signal: string | null, lived: number): Promise<void> {
    if (this.closing || !this.databaseUrl) return;
    this.deaths = lived > STABLE_AFTER ? 0 : this.deaths;
    const delay = DELAYS[Math.min(this.deaths++, DELAYS.length - 1)]!;
    log.error({ event: "pages.ended", code, signal, starts_in: delay / SECOND });
    await sleep(delay);
    if (!this.closing) this.start();
  }

  private tell(message: ToPages): void {
    this.child.send(message, (cause) => {
      if (cause) log.warn({ event: "pages.unreachable", cause });
    });
  }
}

/** The child has already printed the cause. */
class PagesEnded extends Error {
  override name = "PagesEnded";
  override message = "The process that renders pages ended before it was ready.";
}

/**
 * Lowers the priority of the process and its threads, which each have one on Linux. The session (autogroup)
 * needs it, too: the scheduler shares the CPU between sessions first, so PostgreSQL would gain nothing.
 */
async function lowerPriority({ pid }: ChildProcess): Promise<void> {
  if (!pid) return;
  try {
    const threads = LINUX ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
    for (const thread of threads) setPriority(thread, NICENESS);
    if (LINUX) await lowerSession(pid);
  } catch {
    // Best effort: not all systems have priorities, and the process may just have died.
  }
}

/** The kernel accepts one change per 100 ms. */
async function lowerSession(pid: number): Promise<void> {
  for (let tries = 5; ; tries -= 1) {
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(NICENESS));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || tries === 1) throw error;
      await sleep(RETRY);
    }
  }
}
