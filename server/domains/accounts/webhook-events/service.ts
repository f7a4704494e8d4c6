import { monotonicFactory } from "ulid";
import { env } from "@/server/core/env";
import { isoMicros } from "@/server/core/time";
import type { Work } from "@/server/infrastructure/database/transaction";
import { WEBHOOK_EVENTS, type WebhookData, type WebhookEventType } from "./contract";
import { noteEvent } from "./statements";

/** For statements that write an event together with its cause. */
export { NOTE_EVENT } from "./statements";

interface Cause<T extends WebhookEventType> {
  type: T;
  /** Whose it is: the account, those above it and the administrators hear it. */
  ownerId: number;
  /** Those above it may not see this: only the account itself and the administrators hear it. */
  own?: boolean;
  data: WebhookData<T>;
}

/** Asks for randomness once a millisecond: sixteen times for each cost as much as the statement that writes an event. */
const nextUlid = monotonicFactory();

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
