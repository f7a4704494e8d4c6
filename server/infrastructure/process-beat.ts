import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { builtCommit } from "../core/env";
import { log } from "../core/log";
import { DAY, fromNow, SECOND } from "../core/time";
import { outside } from "./database/transaction";
import { storage } from "./storage/storage";

/** How often a process shows itself. */
const BEAT = 30 * SECOND;

/** One that has not shown itself for so long does not run any more. */
export const ALIVE = 3 * BEAT;

/**
 * The version of package.json, and the commit that was built, such as `0.1.0+6d485e08`. Every command of this project runs
 * in the project's directory.
 */
export function versionOfProject(): string {
  const commit = builtCommit() && `+${builtCommit()}`;
  try {
    return JSON.parse(readFileSync("package.json", "utf8")).version + commit;
  } catch {
    return `unknown${commit}`;
  }
}

/** Shows in the database that this process runs, for the administrators' health page. */
export class ProcessBeat {
  private readonly id = randomUUID();
  private readonly startedAt = new Date();
  private readonly version = versionOfProject();
  private clock?: NodeJS.Timeout;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly role: "server" | "pages" | "worker") {}

  /** Beats until {@link end}. A database that is away is tried again with the next beat. */
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
    // A disk that refuses files has a light of its own.
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

  /** Leaves in order: nobody has to wait until it counts as gone. */
  async end(): Promise<void> {
    clearInterval(this.clock);
    await this.last;
    await outside()
      .db.processBeat.deleteMany({ where: { id: this.id } })
      .catch(() => {});
  }
}
