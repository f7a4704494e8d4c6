import { createError } from "@/server/core/errors";
import { toEmailKey } from "@/server/core/schema";
import {
  type CounterState,
  consumePoints,
  type RateLimitCounter,
  returnPoint,
} from "@/server/infrastructure/rate-limit/limiter";

/** Limit per recipient, shared by invitations of teams and of resellers. */
export const INVITATION_MAIL_LIMIT: RateLimitCounter = {
  name: "invite_mail",
  points: 3,
  per: 3600,
  durable: true,
};

/** Call it after every other check, because it consumes a point. */
export async function consumeInvitationMailPoint(email: string): Promise<CounterState> {
  const counterState = await consumePoints(INVITATION_MAIL_LIMIT, toEmailKey(email));
  // Refused attempts must not extend the limit.
  if (!counterState.allowed) await returnInvitationMailPoint(email);
  return counterState;
}

export async function requireInvitationMailPoint(email: string): Promise<void> {
  const { allowed, retryAfter, limit } = await consumeInvitationMailPoint(email);
  if (!allowed) throw createError("too_many_requests", { retryAfter, limit });
}

export async function returnInvitationMailPoint(email: string): Promise<void> {
  await returnPoint(INVITATION_MAIL_LIMIT, toEmailKey(email));
}
