import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { builtCommit } from "../core/env";
import { log } from "../core/log";
import { DAY, fromNow, SECOND } from "../core/time";
import { outside } from "./database/transaction";
import { storage } from "./storage/storage";

const BEAT = 30 * SECOND;

/** A process without a heartbeat for this long has ended. */
export const ALIVE = 3 * BEAT;

export function versionOfProject(): string {
  const commit = builtCommit() && `+${builtCommit()}`;
  try {
    return JSON.parse(readFileSync("package.json", "utf8")).version + commit;
  } catch {
    return `unknown${commit}`;
  }
}

/** Heartbeat of this process in the database, for the health page. */
export class ProcessBeat {
  private readonly id = randomUUID();
  private readonly startedAt = new Date();
  private readonly version = versionOfProject();
  private clock?: NodeJS.Timeout;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly role: "server" | "pages" | "worker") {}

  /** Starts the heartbeat, until {@link end}. Errors are logged; the next beat retries. */
  begin(): void {
    const next = () => {
      this.last = this.beat().catch((error: Error) =>
        log.warn({ event: "process.beat_failed", reason: error.message }),
      );
    };
    this.clock = setInterval(next, BEAT).unref();
    next();
  }

  async beat(): Promise<void> {
    const { db } = outside();
    const place = await storage()
      .place()
      .catch(() => "unknown");
    const now = { seenAt: new Date(), storage: place };
    await db.processBeat.upsert({
      where: { id: this.id },
      create: {
        id: this.id,
        host: hostname(),
        pid: process.pid,
        role: this.role,
        version: this.version,
        startedAt: this.startedAt,
        ...now,
      },
      update: now,
      select: { id: true },
    });
    await db.processBeat.deleteMany({ where: { seenAt: { lt: fromNow(-DAY) } } });
  }

  async end(): Promise<void> {
    clearInterval(this.clock);
    await this.last;
    await outside()
      .db.processBeat.deleteMany({ where: { id: this.id } })
      .catch(() => {});
  }
}
