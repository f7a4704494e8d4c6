import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { getBuildCommit } from "../core/env";
import { log } from "../core/log";
import { DAY, fromNow, SECOND } from "../core/time";
import { withoutTransaction } from "./database/transaction";
import { storage } from "./storage/storage";

const BEAT_INTERVAL_MS = 30 * SECOND;

/** A process without a heartbeat for this long has ended. */
export const PROCESS_DEAD_AFTER_MS = 3 * BEAT_INTERVAL_MS;

export function readReleaseVersion(): string {
  const commit = getBuildCommit() && `+${getBuildCommit()}`;
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
  private readonly version = readReleaseVersion();
  private beatTimer?: NodeJS.Timeout;
  private lastBeatPromise: Promise<unknown> = Promise.resolve();

  constructor(private readonly role: "server" | "pages" | "worker") {}

  /** Starts the heartbeat, until {@link stop}. Errors are logged; the next beat retries. */
  start(): void {
    const sendBeat = () => {
      this.lastBeatPromise = this.beat().catch((error: Error) =>
        log.warn({ event: "process.beat_failed", reason: error.message }),
      );
    };
    this.beatTimer = setInterval(sendBeat, BEAT_INTERVAL_MS).unref();
    sendBeat();
  }

  async beat(): Promise<void> {
    const { db } = withoutTransaction();
    const storageId = await storage()
      .getStorageId()
      .catch(() => "unknown");
    const changedFields = { seenAt: new Date(), storage: storageId };
    await db.processBeat.upsert({
      where: { id: this.id },
      create: {
        id: this.id,
        host: hostname(),
        pid: process.pid,
        role: this.role,
        version: this.version,
        startedAt: this.startedAt,
        ...changedFields,
      },
      update: changedFields,
      select: { id: true },
    });
    await db.processBeat.deleteMany({ where: { seenAt: { lt: fromNow(-DAY) } } });
  }

  async stop(): Promise<void> {
    clearInterval(this.beatTimer);
    await this.lastBeatPromise;
    await withoutTransaction()
      .db.processBeat.deleteMany({ where: { id: this.id } })
      .catch(() => {});
  }
}
