import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { type Counter, consume, giveBack, type Standing } from "@/server/infrastructure/rate-limit/limiter";

/** Limit of invitation mails per recipient, for teams and resellers together. */
export const PER_PERSON: Counter = { name: "invite_mail", points: 3, per: 3600, durable: true };

/** Counts a mail to an address. Call it after every other check. */
export async function takeMail(email: string): Promise<Standing> {
  const standing = await consume(PER_PERSON, emailKey(email));
  // Refused attempts must not extend the limit.
  if (!standing.allowed) await returnMail(email);
  return standing;
}

export async function requireMail(email: string): Promise<void> {
  const { allowed, retryAfter, limit } = await takeMail(email);
  if (!allowed) throw refuse("too_many_requests", { retryAfter, limit });
}

export async function returnMail(email: string): Promise<void> {
  await giveBack(PER_PERSON, emailKey(email));
}
