import type { Context } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { text } from "@/server/core/texts";
import { fromNow, HOUR, isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import { consume } from "@/server/infrastructure/rate-limit/limiter";
import { sealPayload } from "@/server/infrastructure/secrets/seal";
import {
  codeDigest,
  digest,
  isToken,
  newCode,
  newToken,
  sameBytes,
} from "@/server/infrastructure/secrets/tokens";
import { type resendVerification, VERIFICATION_HOURS, type verifyEmail } from "./contract";

/** Wrong codes that one mail allows. */
const CODE_TRIES = 5;
/** Beyond three mails an hour to one address, the answer stays the same and no mail is sent. */
const PER_ADDRESS = { name: "resend_verification", points: 3, per: 3600, durable: true };
export const RESEND_PURPOSE = "resend_verification";

/** Sends the mail with link and code, in the caller's transaction. An older link dies with it. */
export async function sendVerification(
  { sql, locale }: Pick<Context, "sql" | "locale">,
  user: { id: number; name: string; email: string },
): Promise<void> {
  const token = newToken("dsv");
  const code = newCode();
  const key = emailKey(user.email);
  await sql`delete from email_verifications where user_id = ${user.id} and used_at is null`;
  await sql`
    insert into email_verifications (user_id, email_key, token_hash, code_hash, expires_at)
    values (${user.id}, ${key}, ${digest(token)}, ${codeDigest(code, `verify:${key}`)}, ${fromNow(VERIFICATION_HOURS * HOUR)})`;
  await queueMail(
    { sql },
    { userId: user.id, address: user.email },
    {
      template: "verify_email",
      locale,
      params: { name: user.name, hours: VERIFICATION_HOURS },
      path: `/verify-email?token=${token}`,
      code,
    },
  );
}

/** Confirms an address by link or code. Whoever comes second gets `verification_invalid`. */
export async function verify(
  ctx: Context,
  { body }: Input<typeof verifyEmail>,
): Promise<Answer<typeof verifyEmail>> {
  const id = body.token
    ? await consumeToken(ctx, body.token)
    : await consumeCode(ctx, body.email!, body.code!);
  if (!id) throw refuse("verification_invalid");
  const verified = await withTransaction(ctx, async (tx) => {
    // One statement spends the link and confirms the address it was sent to; a changed address matches nothing.
    const [user] = await tx.sql<{ id: number; email_verified_at: Date }>`
      with spent as (
        update email_verifications set used_at = now()
         where id = ${id} and used_at is null and expires_at > now() returning user_id, email_key
      )
      update users u set email_verified_at = coalesce(u.email_verified_at, now()), updated_at = now()
        from spent where u.id = spent.user_id and u.email_key = spent.email_key
      returning u.id, u.email_verified_at`;
    if (!user) throw refuse("verification_invalid");
    await audit(tx, {
      action: "account.email_verified",
      object: { type: "User", id: user.id },
      actorId: user.id,
    });
    return user;
  });
  return {
    success: true,
    message: text(ctx.locale, "answers.email_verified"),
    email_verified_at: isoMicros(verified.email_verified_at),
  };
}

async function consumeToken({ sql }: Context, token: string): Promise<number | undefined> {
  if (!isToken(token, "dsv")) return undefined;
  const [row] = await sql<{ id: number }>`
    select id from email_verifications where token_hash = ${digest(token)} and used_at is null and expires_at > now()`;
  return row?.id;
}

/** Counts the try before the code is looked at, so that a burst cannot try more than allowed. */
async function consumeCode({ sql }: Context, email: string, code: string): Promise<number | undefined> {
  const key = emailKey(email);
  const [row] = await sql<{ id: number; code_hash: Buffer }>`
    update email_verifications set attempts = attempts + 1
     where email_key = ${key} and used_at is null and expires_at > now() and attempts < ${CODE_TRIES}
    returning id, code_hash`;
  return row && sameBytes(row.code_hash, codeDigest(code, `verify:${key}`)) ? row.id : undefined;
}

/**
 * Asks for another mail. The work is the same for every address: a job is queued, and only the job looks
 * whether there is an account, so neither the answer nor its time tells.
 */
export async function resend(
  ctx: Context,
  { body }: Input<typeof resendVerification>,
): Promise<Answer<typeof resendVerification>> {
  const { allowed } = await consume(PER_ADDRESS, emailKey(body.email));
  if (allowed) {
    const sealed = sealPayload({ email: body.email, locale: ctx.locale }, RESEND_PURPOSE);
    await addJob(ctx, "resend_verification", { sealed });
  }
  return { success: true, message: text(ctx.locale, "answers.verification_sent") };
}
