import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { text } from "@/server/core/texts";
import { fromNow, HOUR, isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service";
import { confirmAddress } from "@/server/domains/accounts/users/service/change";
import type { Addressee } from "@/server/domains/accounts/users/service/find";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
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
/** Beyond three mails an hour to one address, the response stays the same and no mail is sent. */
const PER_ADDRESS = { name: "resend_verification", points: 3, per: 3600, durable: true };
export const RESEND_PURPOSE = "resend_verification";

/** Sends the mail with link and code, in the caller's transaction. Older links are void. */
export async function sendVerification(
  tx: Pick<Context, "db" | "sql" | "locale">,
  user: Addressee,
): Promise<void> {
  const token = newToken("dsv");
  const code = newCode();
  const key = emailKey(user.email);
  await endVerifications(tx, user.id);
  await tx.db.emailVerification.create({
    data: {
      userId: user.id,
      emailKey: key,
      tokenHash: digest(token),
      codeHash: codeDigest(code, `verify:${key}`),
      expiresAt: fromNow(VERIFICATION_HOURS * HOUR),
    },
    select: { id: true },
  });
  await mailUser(tx, user, {
    template: "verify_email",
    params: { hours: VERIFICATION_HOURS },
    path: `/verify-email?token=${token}`,
    code,
  });
}

/** Voids the links and codes of an account. */
export async function endVerifications({ db }: Pick<Context, "db">, userId: number): Promise<void> {
  await db.emailVerification.deleteMany({ where: { userId, usedAt: null } });
}

/** Confirms an address by link or code. A second use gets `verification_invalid`. */
export async function verify(
  ctx: Context,
  { body }: Input<typeof verifyEmail>,
): Promise<Output<typeof verifyEmail>> {
  const id = body.token
    ? await consumeToken(ctx, body.token)
    : await consumeCode(ctx, body.email!, body.code!);
  if (!id) throw refuse("verification_invalid");
  const verifiedAt = await withTransaction(ctx, async (tx) => {
    const [spent] = await tx.db.emailVerification.updateManyAndReturn({
      where: { id, ...open() },
      data: { usedAt: new Date() },
      select: { userId: true, emailKey: true },
    });
    // A link sent to the old address does not confirm the new one.
    const verifiedAt = spent && (await confirmAddress(tx, spent));
    if (!verifiedAt) throw refuse("verification_invalid");
    const { userId } = spent;
    await audit(tx, {
      action: "account.email_verified",
      object: { type: "User", id: userId },
      actorId: userId,
    });
    return verifiedAt;
  });
  return {
    success: true,
    message: text(ctx.locale, "responses.email_verified"),
    email_verified_at: isoMicros(verifiedAt),
  };
}

/** Condition of a verification that can still be used. */
const open = () => ({ usedAt: null, expiresAt: { gt: new Date() } });

async function consumeToken({ db }: Context, token: string): Promise<number | undefined> {
  if (!isToken(token, "dsv")) return undefined;
  const row = await db.emailVerification.findFirst({
    where: { tokenHash: digest(token), ...open() },
    select: { id: true },
  });
  return row?.id;
}

/** Counts the attempt before the code is checked, so that concurrent calls cannot try more than allowed. */
async function consumeCode({ db }: Context, email: string, code: string): Promise<number | undefined> {
  const key = emailKey(email);
  const [row] = await db.emailVerification.updateManyAndReturn({
    where: { emailKey: key, attempts: { lt: CODE_TRIES }, ...open() },
    data: { attempts: { increment: 1 } },
    select: { id: true, codeHash: true },
  });
  return row && sameBytes(row.codeHash, codeDigest(code, `verify:${key}`)) ? row.id : undefined;
}

/**
 * Requests another mail. The work is the same for every address: only the job looks for an account, so neither the
 * response nor its time reveals one.
 */
export async function resend(
  ctx: Context,
  { body }: Input<typeof resendVerification>,
): Promise<Output<typeof resendVerification>> {
  const { allowed } = await consume(PER_ADDRESS, emailKey(body.email));
  if (allowed) {
    const sealed = sealPayload({ email: body.email, locale: ctx.locale }, RESEND_PURPOSE);
    await addJob(ctx, "resend_verification", { sealed });
  }
  return { success: true, message: text(ctx.locale, "responses.verification_sent") };
}
