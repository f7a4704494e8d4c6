import { monotonicFactory } from "ulid";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { errorReason } from "@/server/core/redact";
import { isoMicros } from "@/server/core/time";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { randomByte } from "@/server/infrastructure/secrets/random";
import { WEBHOOK_EVENTS, type WebhookData, type WebhookEventType } from "../contract";
import { deleteEvents as forgetOldEvents, insertEvent } from "../statements";

export { emitRows } from "../statements";

interface Cause<T extends WebhookEventType> {
  type: T;
  /** The event is sent to this account, its parent, its resellers and administrators. */
  ownerId: number;
  /** Excludes parent and resellers. */
  own?: boolean;
  data: WebhookData<T>;
}

const BATCH = 5000;

export async function deleteOldEvents(days: number): Promise<void> {
  while ((await forgetOldEvents(withoutTransaction(), { days, limit: BATCH })).length === BATCH);
}

/** Buffered random bytes: a system call per character costs as much as inserting the event. */
const nextUlid = monotonicFactory(() => randomByte() / 256);

/** Creates a `webhook-id`, unique per event and the same for all attempts. */
export function newEventId(): string {
  return `msg_${nextUlid()}`;
}

/** Builds the signed body. In development and tests, throws if the data does not match the event type. */
export function bodyOf<T extends WebhookEventType>(type: T, data: WebhookData<T>, at: Date): string {
  if (env().STRICT_OUTPUT) WEBHOOK_EVENTS[type].data.strict().parse(data);
  return JSON.stringify({ type, timestamp: isoMicros(at), data });
}

/** Emits an event in the transaction; jobs deliver it after the commit. No-op without an audience. */
export async function emit<T extends WebhookEventType>(
  work: Pick<DbAccess, "sql">,
  { type, ownerId, own = false, data }: Cause<T>,
): Promise<void> {
  const at = new Date();
  await insertEvent.later(work, { id: newEventId(), type, body: bodyOf(type, data, at), ownerId, own, at });
}

const shared = globalThis as { tellalFanOut?: Promise<void>; tellalFanOutAgain?: boolean };

/** Queues the fan-out without delaying the response. A job every minute finds lost events. */
export function scheduleFanOut(): void {
  if (shared.tellalFanOut) {
    shared.tellalFanOutAgain = true;
    return;
  }
  shared.tellalFanOut = addJob(withoutTransaction(), "fan_out_webhook", {}, { key: "webhooks:fan_out" })
    .catch((error: unknown) => log.warn({ event: "webhooks.not_handed_out", reason: errorReason(error) }))
    .finally(() => {
      shared.tellalFanOut = undefined;
      if (!shared.tellalFanOutAgain) return;
      shared.tellalFanOutAgain = false;
      scheduleFanOut();
    });
}

/** Resolves once the fan-out of all events so far is queued. */
export async function waitForFanOut(): Promise<void> {
  while (shared.tellalFanOut) await shared.tellalFanOut;
}
