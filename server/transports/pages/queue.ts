import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { refuse } from "@/server/core/errors";
import { SECOND } from "@/server/core/time";

/** Pages need a rendering slot; files and calls do not. */
export type Kind = "page" | "file" | "call";

/** A response in two steps: `begin` waits for a slot, `finish` does not. */
interface Work<Begun> {
  begin(timeout: number): Promise<Begun>;
  finish(begun: Begun): Promise<void>;
}

/** Thrown by `begin` when the renderer was not reached: safe to retry. */
export class NotReached extends Error {
  override name = "NotReached";
}

interface Limits {
  /** Maximum number of waiting and running pages and calls, and separately of files. */
  max?: number;
  timeout?: number;
  isReady?: () => boolean;
}

/**
 * On one thread, more slots hold memory longer: of 500 simultaneous requests, a third fewer finish in time.
 */
const PARALLEL = 16;
const START_TIMEOUT = 30 * SECOND;
const RETRY = 100;

/** Queue in front of the renderer. Starts pages in request order. */
export class Queue {
  private readonly present = { rendered: 0, files: 0 };
  private readonly turn = pLimit(PARALLEL);

  constructor(private readonly limits: Limits = {}) {}

  /** Throws `busy` when the queue is full, the renderer is lost or the first byte is late. */
  async run<Begun>(kind: Kind, work: Work<Begun>): Promise<void> {
    const counter = kind === "file" ? "files" : "rendered";
    if (this.present[counter] >= (this.limits.max ?? 500)) throw refuse("busy", { retryAfter: 5 });
    this.present[counter]++;
    try {
      await work.finish(await this.begun(kind, work));
    } finally {
      this.present[counter]--;
    }
  }

  private async begun<Begun>(kind: Kind, { begin }: Work<Begun>): Promise<Begun> {
    const { timeout = 30 * SECOND, isReady } = this.limits;
    const giveUpAt = performance.now() + START_TIMEOUT;
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
