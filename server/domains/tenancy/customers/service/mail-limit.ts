import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { type Counter, consume, giveBack, type Standing } from "@/server/infrastructure/rate-limit/limiter";

/** Invitations by mail to one person, to teams and from resellers, whoever sends them. */
export const PER_PERSON: Counter = { name: "invite_mail", points: 3, per: 3600, durable: true };

/** Counts one more mail to an address, if it may have one now. Call it when nothing else is in the mail's way. */
export async function takeMail(email: string): Promise<Standing> {
  const taken = await consume(PER_PERSON, emailKey(email));
  // So that the counter is what was mailed, whatever is returned later.
  if (!taken.allowed) await returnMail(email);
  return taken;
}

/** The same; throws `too_many_requests` when it may not. */
export async function requireMail(email: string): Promise<void> {
  const { allowed, retryAfter, limit } = await takeMail(email);
  if (!allowed) throw refuse("too_many_requests", { retryAfter, limit });
}

/** For a mail that was counted and did not go out. */
export async function returnMail(email: string): Promise<void> {
  await giveBack(PER_PERSON, emailKey(email));
}
