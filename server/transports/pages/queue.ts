import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { createError } from "@/server/core/errors";
import { SECOND } from "@/server/core/time";

/** Pages need a rendering slot. Build files and calls of session routes do not. */
export type RequestKind = "page" | "file" | "call";

/** `begin` occupies a rendering slot until the first byte; `finish` sends the rest without one. */
interface RenderWork<PartialResponse> {
  begin(timeoutMs: number): Promise<PartialResponse>;
  finish(response: PartialResponse): Promise<void>;
}

/** Thrown by `begin` when the renderer was not reached: safe to retry. */
export class RendererUnreachableError extends Error {
  override name = "RendererUnreachableError";
}

interface QueueOptions {
  /** Maximum number of waiting and running pages and calls, and separately of files. */
  maxRequests?: number;
  /** Time until the first byte, including the wait for a slot; 30 s by default. */
  timeoutMs?: number;
  /** If given, requests wait for a renderer that is starting or restarting. */
  isReady?: () => boolean;
}

/** Rendering has one thread. With more slots, a third fewer of 500 simultaneous pages finish in time. */
const MAX_PARALLEL_PAGES = 16;
const RENDERER_START_TIMEOUT_MS = 30 * SECOND;
const RETRY_DELAY_MS = 100;

/** Queue in front of the renderer. Starts pages in request order. */
export class RenderQueue {
  private readonly counts = { rendered: 0, files: 0 };
  private readonly pageLimit = pLimit(MAX_PARALLEL_PAGES);

  constructor(private readonly limits: QueueOptions = {}) {}

  /** Throws `busy` when the queue is full, the renderer is lost or the first byte is late. */
  async run<PartialResponse>(kind: RequestKind, work: RenderWork<PartialResponse>): Promise<void> {
    const counter = kind === "file" ? "files" : "rendered";
    if (this.counts[counter] >= (this.limits.maxRequests ?? 500))
      throw createError("busy", { retryAfter: 5 });
    this.counts[counter]++;
    try {
      await work.finish(await this.beginWhenReady(kind, work));
    } finally {
      this.counts[counter]--;
    }
  }

  private async beginWhenReady<PartialResponse>(
    kind: RequestKind,
    { begin }: RenderWork<PartialResponse>,
  ): Promise<PartialResponse> {
    const { timeoutMs = 30 * SECOND, isReady } = this.limits;
    const giveUpAt = performance.now() + RENDERER_START_TIMEOUT_MS;
    for (;;) {
      try {
        if (!isReady || isReady()) {
          const deadline = performance.now() + timeoutMs;
          const start = () => begin(Math.max(1, deadline - performance.now()));
          return await (kind === "page" ? this.pageLimit(start) : start());
        }
      } catch (cause) {
        if (!isReady || !(cause instanceof RendererUnreachableError))
          throw createError("busy", { retryAfter: 2, cause });
      }
      if (performance.now() > giveUpAt) throw createError("busy", { retryAfter: 5 });
      await sleep(RETRY_DELAY_MS);
    }
  }
}
