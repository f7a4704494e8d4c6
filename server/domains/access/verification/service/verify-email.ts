import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { chooseMailLocale } from "@/server/core/locale";
import { sixDigits, toEmailKey } from "@/server/core/schema";
import { formatText } from "@/server/core/texts";
import { fromNow, HOUR, toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { markEmailVerified } from "@/server/domains/accounts/users/service/change";
import { lockEmailAddress, lockUser } from "@/server/domains/accounts/users/service/lock";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { consumePoints } from "@/server/infrastructure/rate-limit/limiter";
import { sealPayload } from "@/server/infrastructure/secrets/seal";
import {
  areBytesEqual,
  hashCodeUnderAllKeys,
  hashSecret,
  isWellFormedToken,
} from "@/server/infrastructure/secrets/tokens";
import type { resendVerification, verifyEmail } from "../contract";
import { cancelCompetingEmailChanges, confirmPendingEmail } from "./confirm-change";

const MAX_CODE_ATTEMPTS = 5;
/** Beyond this limit the response stays the same and no mail is sent. */
const MAILS_PER_ADDRESS_LIMIT = { name: "resend_verification", points: 3, per: 3600, durable: true };
/** Needed to read queued jobs: do not change. */
export const RESEND_SEAL_PURPOSE = "resend_verification";

const REPEATED_USE_HOURS = 24;

/** A second use within 24 hours is `verification_repeated` if the account still has the address. */
export async function verifyEmailAddress(
  ctx: Context,
  { body }: Input<typeof verifyEmail>,
): Promise<Output<typeof verifyEmail>> {
  const link = body.token
    ? await findLinkByToken(ctx, body.token)
    : await findLinkByCode(ctx, body.email!, body.code!);
  if (!link) throw createError("verification_invalid");
  const verifiedAt = await withTransaction(ctx, async (tx) => {
    await lockEmailAddress(tx, link.emailKey);
    await lockUser(tx, link.userId);
    const [verification] = await tx.db.emailVerification.updateManyAndReturn({
      where: { id: link.id, ...whereUnused() },
      data: { usedAt: new Date() },
      select: { userId: true, emailKey: true },
    });
    if (!verification)
      throw createError(
        (await isAlreadyConfirmed(tx, link)) ? "verification_repeated" : "verification_invalid",
      );
    // Both return undefined when the account no longer has the address.
    const verifiedAt =
      (await markEmailVerified(tx, verification)) ?? (await confirmPendingEmail(tx, verification));
    if (!verifiedAt) throw createError("verification_invalid");
    await cancelCompetingEmailChanges(tx, verification);
    const { userId } = verification;
    await audit(tx, {
      action: "account.email_verified",
      object: { type: "User", id: userId },
      actorId: userId,
    });
    return verifiedAt;
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.email_verified"),
    email_verified_at: toIsoMicros(verifiedAt),
  };
}

async function isAlreadyConfirmed(
  { db }: Pick<Context, "db">,
  { id, userId }: VerificationLink,
): Promise<boolean> {
  const verification = await db.emailVerification.findFirst({
    where: { id, ...whereUsedRecently() },
    select: { emailKey: true },
  });
  if (!verification) return false;
  const where = { id: userId, emailKey: verification.emailKey, emailVerifiedAt: { not: null } };
  return (await db.user.count({ where })) > 0;
}

const whereUnused = () => ({ usedAt: null, expiresAt: { gt: new Date() } });
const whereUsedRecently = () => ({ usedAt: { gt: fromNow(-REPEATED_USE_HOURS * HOUR) } });

interface VerificationLink {
  id: number;
  userId: number;
  emailKey: string;
}

async function findLinkByToken({ db }: Context, token: string): Promise<VerificationLink | null> {
  if (!isWellFormedToken(token, "dsv")) return null;
  return db.emailVerification.findFirst({
    where: { tokenHash: hashSecret(token), OR: [whereUnused(), whereUsedRecently()] },
    select: { id: true, userId: true, emailKey: true },
  });
}

/** Counts the attempt before it checks the code. Several accounts can have the same address pending. */
async function findLinkByCode(
  { db }: Context,
  email: string,
  code: string,
): Promise<VerificationLink | undefined> {
  if (!sixDigits.safeParse(code).success) return undefined;
  const key = toEmailKey(email);
  const rows = await db.emailVerification.updateManyAndReturn({
    where: { emailKey: key, attempts: { lt: MAX_CODE_ATTEMPTS }, OR: [whereUnused(), whereUsedRecently()] },
    data: { attempts: { increment: 1 } },
    select: { id: true, userId: true, emailKey: true, codeHash: true },
  });
  return rows.find(({ codeHash }) =>
    hashCodeUnderAllKeys(code, `verify:${key}`).some((digest) => areBytesEqual(codeHash, digest)),
  );
}

/** Only the job looks for an account, so neither response nor timing reveals one. */
export async function resendVerificationMail(
  ctx: Context,
  { body }: Input<typeof resendVerification>,
): Promise<Output<typeof resendVerification>> {
  const { allowed } = await consumePoints(MAILS_PER_ADDRESS_LIMIT, toEmailKey(body.email));
  if (allowed) {
    const sealed = sealPayload({ email: body.email, locale: chooseMailLocale(ctx) }, RESEND_SEAL_PURPOSE);
    await addJob(ctx, "resend_verification", { sealed });
  }
  return { success: true, message: formatText(ctx.locale, "responses.verification_sent") };
}
