import { createError } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import {
  type Counter,
  type CounterState,
  consumePoints,
  returnPoint,
} from "@/server/infrastructure/rate-limit/limiter";

/** Limit per recipient, shared by invitations of teams and of resellers. */
export const INVITATION_MAIL_LIMIT: Counter = { name: "invite_mail", points: 3, per: 3600, durable: true };

/** Call it after every other check, because it consumes a point. */
export async function consumeMailPoint(email: string): Promise<CounterState> {
  const counterState = await consumePoints(INVITATION_MAIL_LIMIT, emailKey(email));
  // Refused attempts must not extend the limit.
  if (!counterState.allowed) await returnMailPoint(email);
  return counterState;
}

export async function requireMailPoint(email: string): Promise<void> {
  const { allowed, retryAfter, limit } = await consumeMailPoint(email);
  if (!allowed) throw createError("too_many_requests", { retryAfter, limit });
}

export async function returnMailPoint(email: string): Promise<void> {
  await returnPoint(INVITATION_MAIL_LIMIT, emailKey(email));
}
