import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import {
  type Counter,
  type CounterState,
  consume,
  returnPoint,
} from "@/server/infrastructure/rate-limit/limiter";

/** Per recipient; teams and resellers share it. */
export const INVITATION_MAIL_LIMIT: Counter = { name: "invite_mail", points: 3, per: 3600, durable: true };

/** Call it after every other check, because it consumes a point. */
export async function consumeMailLimit(email: string): Promise<CounterState> {
  const counterState = await consume(INVITATION_MAIL_LIMIT, emailKey(email));
  // Refused attempts must not extend the limit.
  if (!counterState.allowed) await releaseMailLimit(email);
  return counterState;
}

export async function requireMailLimit(email: string): Promise<void> {
  const { allowed, retryAfter, limit } = await consumeMailLimit(email);
  if (!allowed) throw refuse("too_many_requests", { retryAfter, limit });
}

export async function releaseMailLimit(email: string): Promise<void> {
  await returnPoint(INVITATION_MAIL_LIMIT, emailKey(email));
}
