import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { refuse } from "@/server/core/errors";
import { SECOND } from "@/server/core/time";

/** Pages are rendered; files and calls take no place of a page. */
export type Kind = "page" | "file" | "call";

/** A response in two steps. `begin` waits in the queue, `finish` does not. */
interface Work<Begun> {
  /** Waits for the first byte, for at most `timeout` milliseconds. */
  begin(timeout: number): Promise<Begun>;
  finish(begun: Begun): Promise<void>;
}

/** Thrown by `begin` when the renderer was not reached, so that it can be tried again. */
export class NotReached extends Error {
  override name = "NotReached";
}

interface Limits {
  /** Maximum number of pages and calls at once, and of files. More would wait longer than a person does. */
  most?: number;
  /** Timeout for the first byte, in milliseconds. */
  timeout?: number;
  /** Whether the renderer runs. Without it, work is not tried again. */
  isReady?: () => boolean;
}

/**
 * Pages rendered in parallel. One thread renders them: with more, each holds its memory for longer, and of 500 requests
 * in one moment a third fewer are answered in time.
 */
const PARALLEL = 16;
/** Timeout for a renderer that starts. */
const PATIENCE = 30 * SECOND;
const RETRY = 100;

/** The queue in front of the renderer. Pages begin in the order of their requests. */
export class Queue {
  private readonly present = { rendered: 0, files: 0 };
  private readonly turn = pLimit(PARALLEL);

  constructor(private readonly limits: Limits = {}) {}

  /** Throws `busy` when too much waits, the renderer goes away before it responds, or the first byte is late. */
  async run<Begun>(kind: Kind, work: Work<Begun>): Promise<void> {
    const counter = kind === "file" ? "files" : "rendered";
    if (this.present[counter] >= (this.limits.most ?? 500)) throw refuse("busy", { retryAfter: 5 });
    this.present[counter]++;
    try {
      await work.finish(await this.begun(kind, work));
    } finally {
      this.present[counter]--;
    }
  }

  private async begun<Begun>(kind: Kind, { begin }: Work<Begun>): Promise<Begun> {
    const { timeout = 30 * SECOND, isReady } = this.limits;
    const giveUpAt = performance.now() + PATIENCE;
    for (;;) {
      try {
        if (!isReady || isReady()) {
          const deadline = performance.now() + timeout;
          const start = () => begin(Math.max(1, deadline - performance.now()));
          return await (kind === "page" ? this.turn(start) : start());
        }
      } catch (cause) {
        if (!isReady || !(cause instanceof NotReached)) throw refuse("busy", { retryAfter: 2, cause });
      }
      if (performance.now() > giveUpAt) throw refuse("busy", { retryAfter: 5 });
      await sleep(RETRY);
    }
  }
}
