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
import { metricsRegistry } from "@/server/core/metrics";
import { SECOND } from "@/server/core/time";
import { createForwarder, type PageHandler } from "./forward";
import { RenderQueue } from "./queue";
import { createSocketPath, removeAbandonedSockets } from "./socket";

export type PagesCommand = { databaseUrl: string } | "measure";

export type PagesReport = "ready" | { metrics: string };

const PRIORITY_RETRY_DELAY_MS = 100;
/** Delays before restarts; reset once a process has run for a minute. */
const RESTART_DELAYS_MS = [0, 1, 2, 5, 10].map((seconds) => seconds * SECOND);
const STABLE_AFTER_MS = 60 * SECOND;
/** Keeps the API fast. 5 leaves pages a third of the usual CPU share; 10 leaves a tenth: too slow. */
const NICENESS = 5;
const IS_LINUX = process.platform === "linux";
/** Heap limit in MB. Without one it grows to 500 MB; it needs about 200, and 300 under full load. */
const HEAP_OPTION = "--max-old-space-size=360";

const startCounter = new Counter({
  name: "tellal_pages_starts_total",
  help: "Starts of the process that renders pages: more than one means that it died",
  registers: [metricsRegistry],
});

/** Renders pages in a child process, so that rendering blocks nothing else; restarts it when it dies. */
export class PagesProcess {
  private readonly socketPath = createSocketPath();
  private readonly forward = createForwarder(
    this.socketPath,
    new RenderQueue({ isReady: () => this.isServing }),
  );
  private child!: ChildProcess;
  private readyPromise!: Promise<void>;
  private isServing = false;
  private lowPriorityChild: ChildProcess | undefined;
  private databaseUrl: string | undefined;
  private isClosing = false;
  private recentDeathCount = 0;

  constructor() {
    this.start();
    removeAbandonedSockets().catch((cause: unknown) => log.warn({ event: "pages.sockets_left", cause }));
  }

  connectDatabase(databaseUrl: string): Promise<void> {
    this.databaseUrl = databaseUrl;
    this.sendMessage({ databaseUrl });
    return this.readyPromise;
  }

  readonly handlePage: PageHandler = async (req, res, body) => {
    const { child } = this;
    await this.forward(req, res, body);
    if (this.isServing && this.child === child) this.lowerPriorityOnce(child);
  };

  /** Prometheus metrics of the child; undefined while it cannot respond. */
  async metrics(): Promise<string | undefined> {
    const { child } = this;
    if (!child.connected) return undefined;
    return new Promise((resolve) => {
      const onMessage = (message?: PagesReport) => {
        if (message === "ready") return;
        clearTimeout(timer);
        child.off("message", onMessage);
        resolve(message?.metrics);
      };
      const timer = setTimeout(onMessage, SECOND);
      child.on("message", onMessage);
      this.sendMessage("measure");
    });
  }

  async close(): Promise<void> {
    this.isClosing = true;
    if (this.child.connected) this.child.disconnect();
    const killTimer = setTimeout(() => this.child.kill("SIGKILL"), 5 * SECOND);
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "exit");
    clearTimeout(killTimer);
  }

  private start(): void {
    const startedAt = performance.now();
    const program = join(dirname(fileURLToPath(import.meta.url)), "pages.js");
    const child = fork(program, [this.socketPath], {
      execArgv: [HEAP_OPTION],
      // Gives the child its own session, and thereby its own scheduling priority.
      detached: IS_LINUX,
    });
    this.child = child;
    startCounter.inc();
    this.readyPromise = new Promise<void>((resolve, reject) => {
      child.on("message", (message: PagesReport) => {
        if (message !== "ready") return;
        this.isServing = true;
        resolve();
      });
      child.once("exit", () => {
        this.isServing = false;
        if (this.isClosing) resolve();
        else reject(new PagesExitError());
      });
    });
    // Callers of `connectDatabase` handle it; the next child has its own promise.
    this.readyPromise.catch(() => {});
    child.on("error", (cause) => log.error({ event: "pages.failed", cause }));
    child.once("exit", (code, signal) => void this.restart(code, signal, performance.now() - startedAt));
    if (this.databaseUrl) this.sendMessage({ databaseUrl: this.databaseUrl });
  }

  /** Called after the first page: a lower priority would slow the start down several times. */
  private lowerPriorityOnce(child: ChildProcess): void {
    if (this.lowPriorityChild === child) return;
    this.lowPriorityChild = child;
    void lowerPriority(child);
  }

  private async restart(code: number | null, signal: string | null, uptimeMs: number): Promise<void> {
    if (this.isClosing || !this.databaseUrl) return;
    this.recentDeathCount = uptimeMs > STABLE_AFTER_MS ? 0 : this.recentDeathCount;
    const delay = RESTART_DELAYS_MS[Math.min(this.recentDeathCount++, RESTART_DELAYS_MS.length - 1)]!;
    log.error({ event: "pages.ended", code, signal, starts_in: delay / SECOND });
    await sleep(delay);
    if (!this.isClosing) this.start();
  }

  private sendMessage(message: PagesCommand): void {
    this.child.send(message, (cause) => {
      if (cause) log.warn({ event: "pages.unreachable", cause });
    });
  }
}

/** The child has already printed the cause. */
class PagesExitError extends Error {
  override name = "PagesExitError";
  override message = "The process that renders pages ended before it was ready.";
}

/** Also covers threads and, on Linux, the session: the scheduler shares the CPU between sessions first. */
async function lowerPriority({ pid }: ChildProcess): Promise<void> {
  if (!pid) return;
  try {
    const threads = IS_LINUX ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
    for (const thread of threads) setPriority(thread, NICENESS);
    if (IS_LINUX) await lowerSession(pid);
  } catch {
    // Not all systems have priorities, and the process may have just exited.
  }
}

/** The kernel accepts one change per 100 ms. */
async function lowerSession(pid: number): Promise<void> {
  for (let triesLeft = 5; ; triesLeft -= 1) {
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(NICENESS));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || triesLeft === 1) throw error;
      await sleep(PRIORITY_RETRY_DELAY_MS);
    }
  }
}
