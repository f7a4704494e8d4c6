import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { buildCommit } from "../core/env";
import { log } from "../core/log";
import { DAY, fromNow, SECOND } from "../core/time";
import { withoutTransaction } from "./database/transaction";
import { storage } from "./storage/storage";

const BEAT = 30 * SECOND;

/** A process without a heartbeat for this long has ended. */
export const ALIVE_WITHIN = 3 * BEAT;

export function versionOfProject(): string {
  const commit = buildCommit() && `+${buildCommit()}`;
  try {
    return JSON.parse(readFileSync("package.json", "utf8")).version + commit;
  } catch {
    return `unknown${commit}`;
  }
}

/** Heartbeat of this process in the database, for the health page. */
export class ProcessHeartbeat {
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
    const { db } = withoutTransaction();
    const place = await storage()
      .storageId()
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
    await withoutTransaction()
      .db.processBeat.deleteMany({ where: { id: this.id } })
      .catch(() => {});
  }
}
