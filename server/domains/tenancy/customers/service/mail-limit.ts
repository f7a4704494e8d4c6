import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import {
  type Counter,
  type CounterState,
  consume,
  returnPoint,
} from "@/server/infrastructure/rate-limit/limiter";

/** Limit of invitation mails per recipient, for teams and resellers together. */
export const PER_PERSON: Counter = { name: "invite_mail", points: 3, per: 3600, durable: true };

/** Counts a mail to an address. Call it after every other check. */
export async function consumeMail(email: string): Promise<CounterState> {
  const standing = await consume(PER_PERSON, emailKey(email));
  // Refused attempts must not extend the limit.
  if (!standing.allowed) await releaseMail(email);
  return standing;
}

export async function requireMail(email: string): Promise<void> {
  const { allowed, retryAfter, limit } = await consumeMail(email);
  if (!allowed) throw refuse("too_many_requests", { retryAfter, limit });
}

export async function releaseMail(email: string): Promise<void> {
  await returnPoint(PER_PERSON, emailKey(email));
}
