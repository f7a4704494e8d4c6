import { monotonicFactory } from "ulid";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { reasonOf } from "@/server/core/redact";
import { isoMicros } from "@/server/core/time";
import { outside, type Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { randomByte } from "@/server/infrastructure/secrets/random";
import { WEBHOOK_EVENTS, type WebhookData, type WebhookEventType } from "../contract";
import { forgetEvents as forgetOldEvents, noteEvent } from "../statements";

export { emitRows } from "../statements";

interface Cause<T extends WebhookEventType> {
  type: T;
  /** Whose it is: the account, those above it and the administrators hear it. */
  ownerId: number;
  /** Those above it may not see this: only the account itself and the administrators hear it. */
  own?: boolean;
  data: WebhookData<T>;
}

/** Events that one statement removes. */
const BATCH = 5000;

/** Removes what is older, with its deliveries and their attempts. */
export async function forgetEvents(days: number): Promise<void> {
  while ((await forgetOldEvents(outside(), { days, limit: BATCH })).length === BATCH);
}

/** Asking the system for each character's byte cost as much as the statement that writes an event. */
const nextUlid = monotonicFactory(() => randomByte() / 256);

/** A new `webhook-id`: no two events share one, and no attempt changes it. */
export function newEventId(): string {
  return `msg_${nextUlid()}`;
}

/** The body that is signed and sent. Throws in development and tests when the data is not what the type declares. */
export function bodyOf<T extends WebhookEventType>(type: T, data: WebhookData<T>, at: Date): string {
  if (env().STRICT_OUTPUT) WEBHOOK_EVENTS[type].data.strict().parse(data);
  return JSON.stringify({ type, timestamp: isoMicros(at), data });
}

/**
 * Tells the endpoints that may hear it, by jobs, if and only if the caller's transaction is committed. Where nobody listens
 * nothing is written.
 */
export async function emit<T extends WebhookEventType>(
  work: Pick<Work, "sql">,
  { type, ownerId, own = false, data }: Cause<T>,
): Promise<void> {
  const at = new Date();
  await noteEvent.later(work, { id: newEventId(), type, body: bodyOf(type, data, at), ownerId, own, at });
}

const shared = globalThis as { tellalFanOut?: Promise<void>; tellalFanOutAgain?: boolean };

/**
 * Adds the job that makes deliveries of committed events, without delaying the response: one job for all events until it is
 * added. A killed process loses none, because another job looks for events every minute.
 */
export function scheduleFanOut(): void {
  if (shared.tellalFanOut) {
    shared.tellalFanOutAgain = true;
    return;
  }
  shared.tellalFanOut = addJob(outside(), "fan_out_webhook", {}, { key: "webhooks:fan_out" })
    .catch((error: unknown) => log.warn({ event: "webhooks.not_handed_out", reason: reasonOf(error) }))
    .finally(() => {
      shared.tellalFanOut = undefined;
      if (!shared.tellalFanOutAgain) return;
      shared.tellalFanOutAgain = false;
      scheduleFanOut();
    });
}

/** Resolves once the jobs of all events until now are added. */
export async function fanOutScheduled(): Promise<void> {
  while (shared.tellalFanOut) await shared.tellalFanOut;
}
