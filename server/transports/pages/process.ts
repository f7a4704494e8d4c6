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
import { forwardTo, type Pages } from "./forward";
import { Queue } from "./queue";
import { newSocketPath, sweepSockets } from "./socket";

/** What the server tells its pages process. */
export type ToPages = { databaseUrl: string } | "measure";

/** What the pages process tells its server. */
export type FromPages = "ready" | { metrics: string };

const RETRY = 100;
/** Delays of the starts after the first; a process that has lived for a minute begins anew. */
const DELAYS = [0, 1, 2, 5, 10].map((seconds) => seconds * SECOND);
const LIVED = 60 * SECOND;
/**
 * Above 0, the system prefers other processes: the API answers while pages are rendered on all cores. Of 5, a third of the
 * usual share is left beside each of them; of 10 a tenth, with which a busy machine needs half a minute for a page.
 */
const NICENESS = 5;
const LINUX = process.platform === "linux";
/**
 * Megabytes. Left alone it grows to half a gigabyte before it looks for what it no longer needs; it needs a good 200, and 300
 * while all are asked for at once.
 */
const HEAP = "--max-old-space-size=360";

const starts = new Counter({
  name: "tellal_pages_starts_total",
  help: "Starts of the process that renders pages: more than one means that it died",
  registers: [registry],
});

/**
 * The process that renders pages, so that rendering holds up nothing else: it starts with the server, again when it
 * dies, and ends with it.
 */
export class PagesProcess {
  /** The process removes it, and its directory, when it ends. */
  private readonly socketPath = newSocketPath();
  private readonly forward = forwardTo(this.socketPath, new Queue({ isReady: () => this.serving }));
  private child!: ChildProcess;
  /** Settled when the present child serves, or has died before. */
  private served!: Promise<void>;
  private serving = false;
  /** The last child whose priority was lowered. */
  private lowered: ChildProcess | undefined;
  private databaseUrl: string | undefined;
  private closing = false;
  private deaths = 0;

  constructor() {
    this.start();
    sweepSockets().catch((cause: unknown) => log.warn({ event: "pages.sockets_left", cause }));
  }

  /** Resolves when pages can be served, or are no longer wanted; rejects when the process could not start. */
  connect(databaseUrl: string): Promise<void> {
    this.databaseUrl = databaseUrl;
    this.tell({ databaseUrl });
    return this.served;
  }

  readonly pages: Pages = async (req, res, body) => {
    const { child } = this;
    await this.forward(req, res, body);
    // A child that was started after it has not rendered a page yet.
    if (this.serving && this.child === child) this.giveWay(child);
  };

  /** The figures of the process (Prometheus); undefined while there is none that could tell. */
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
      // Stacks are mapped when they are read: see `mapStacks`.
      execArgv: [HEAP],
      // A session of its own, which has a priority of its own.
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
    // Whoever waits is told; the next child has a promise of its own.
    this.served.catch(() => {});
    child.on("error", (cause) => log.error({ event: "pages.failed", cause }));
    child.once("exit", (code, signal) => void this.restart(code, signal, performance.now() - startedAt));
    if (this.databaseUrl) this.tell({ databaseUrl: this.databaseUrl });
  }

  /** Not before its first page: where others keep all cores busy, the start and that page would take several times as long. */
  private giveWay(child: ChildProcess): void {
    if (this.lowered === child) return;
    this.lowered = child;
    void lowerPriority(child);
  }

  private async restart(code: number | null, signal: string | null, lived: number): Promise<void> {
    // What ends the first start is for the server to say.
    if (this.closing || !this.databaseUrl) return;
    this.deaths = lived > LIVED ? 0 : this.deaths;
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

/** What kept the process from starting is above: it has printed it. */
class PagesEnded extends Error {
  override name = "PagesEnded";
  override message = "The process that renders pages ended before it was ready.";
}

/**
 * Of the process and its threads, which on Linux have a priority each; those they make later inherit it. There sessions share
 * the processor first, where nothing else divides it: without a lower one, PostgreSQL would not be preferred.
 */
async function lowerPriority({ pid }: ChildProcess): Promise<void> {
  if (!pid) return;
  try {
    const threads = LINUX ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
    for (const thread of threads) setPriority(thread, NICENESS);
    if (LINUX) await lowerSession(pid);
  } catch {
    // A system without priorities has one cause less to be slow, and a process may just have died.
  }
}

/** The kernel takes one such change in a tenth of a second. */
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
