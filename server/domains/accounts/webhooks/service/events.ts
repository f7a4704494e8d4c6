import { monotonicFactory } from "ulid";
import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { getErrorReason } from "@/server/core/redact";
import { toIsoMicros } from "@/server/core/time";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { randomByte } from "@/server/infrastructure/secrets/random";
import { WEBHOOK_EVENTS, type WebhookData, type WebhookEventType } from "../contract";
import { deleteEvents as deleteEventBatch, insertEvent } from "../statements";

export { emitWebhookEventsSql } from "../statements";

interface EventInput<T extends WebhookEventType> {
  type: T;
  /** Receives the event, as do its parent, its resellers and administrators. */
  ownerId: number;
  /** Excludes parent and resellers, but not administrators. */
  isOwnerOnly?: boolean;
  data: WebhookData<T>;
}

const BATCH_SIZE = 5000;

export async function deleteOldEvents(days: number): Promise<void> {
  while ((await deleteEventBatch(withoutTransaction(), { days, limit: BATCH_SIZE })).length === BATCH_SIZE);
}

/** Buffered random bytes: a system call per character costs as much as inserting the event. */
const nextUlid = monotonicFactory(() => randomByte() / 256);

/** Creates the `webhook-id` of an event; all attempts send the same. */
export function newEventId(): string {
  return `msg_${nextUlid()}`;
}

/** Builds the signed body. In development and tests, throws if the data does not match the event type. */
export function buildEventBody<T extends WebhookEventType>(type: T, data: WebhookData<T>, at: Date): string {
  if (env().STRICT_OUTPUT) WEBHOOK_EVENTS[type].data.strict().parse(data);
  return JSON.stringify({ type, timestamp: toIsoMicros(at), data });
}

/** Emits an event in the transaction; jobs deliver it after the commit. No-op without an audience. */
export async function emitWebhookEvent<T extends WebhookEventType>(
  access: Pick<DbAccess, "sql">,
  { type, ownerId, isOwnerOnly = false, data }: EventInput<T>,
): Promise<void> {
  const at = new Date();
  await insertEvent.sendWithoutWaiting(access, {
    id: newEventId(),
    type,
    body: buildEventBody(type, data, at),
    ownerId,
    isOwnerOnly,
    at,
  });
}

const fanOutState = globalThis as { tellalFanOut?: Promise<void>; tellalFanOutAgain?: boolean };

/** Queues the fan-out without delaying the response. A job every minute finds lost events. */
export function scheduleWebhookFanOut(): void {
  if (fanOutState.tellalFanOut) {
    fanOutState.tellalFanOutAgain = true;
    return;
  }
  fanOutState.tellalFanOut = addJob(withoutTransaction(), "fan_out_webhook", {}, { key: "webhooks:fan_out" })
    .catch((error: unknown) => log.warn({ event: "webhooks.not_handed_out", reason: getErrorReason(error) }))
    .finally(() => {
      fanOutState.tellalFanOut = undefined;
      if (!fanOutState.tellalFanOutAgain) return;
      fanOutState.tellalFanOutAgain = false;
      scheduleWebhookFanOut();
    });
}

export async function waitForWebhookFanOut(): Promise<void> {
  while (fanOutState.tellalFanOut) await fanOutState.tellalFanOut;
}
