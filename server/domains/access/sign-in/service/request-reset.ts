import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { chooseMailLocale, type Locale } from "@/server/core/locale";
import { toEmailKey } from "@/server/core/schema";
import { formatText } from "@/server/core/texts";
import { fromNow, MINUTE } from "@/server/core/time";
import type { MailRecipient } from "@/server/domains/accounts/users/service/find";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { consumePoints } from "@/server/infrastructure/rate-limit/limiter";
import { sealPayload } from "@/server/infrastructure/secrets/seal";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { type forgotPassword, RESET_LINK_MINUTES } from "../contract";

/** Beyond this limit the response stays the same and no mail is sent. */
const MAILS_PER_ADDRESS_LIMIT = { name: "forgot_password", points: 3, per: 3600, durable: true };
export const PASSWORD_RESET_SEAL_PURPOSE = "send_password_reset";

/** Only the job looks for an account, so neither response nor timing reveals one. */
export async function requestPasswordReset(
  ctx: Context,
  { body }: Input<typeof forgotPassword>,
): Promise<Output<typeof forgotPassword>> {
  const { allowed } = await consumePoints(MAILS_PER_ADDRESS_LIMIT, toEmailKey(body.email));
  if (allowed) {
    const sealed = sealPayload(
      { email: body.email, locale: chooseMailLocale(ctx) },
      PASSWORD_RESET_SEAL_PURPOSE,
    );
    await addJob(ctx, "send_password_reset", { sealed });
  }
  return { success: true, message: formatText(ctx.locale, "responses.reset_sent") };
}

export async function mailPasswordResetLink(
  tx: DbAccess & { locale: Locale },
  user: MailRecipient,
): Promise<void> {
  await mailUser(tx, user, {
    template: "reset_password",
    params: { minutes: RESET_LINK_MINUTES },
    path: await createPasswordResetPath(tx, user, { minutes: RESET_LINK_MINUTES }),
  });
}

export async function createPasswordResetPath(
  tx: Pick<DbAccess, "db">,
  user: Pick<MailRecipient, "id" | "email">,
  { minutes }: { minutes: number },
): Promise<string> {
  const token = createToken("dsr");
  const link = {
    emailKey: toEmailKey(user.email),
    tokenHash: hashSecret(token),
    createdAt: new Date(),
    expiresAt: fromNow(minutes * MINUTE),
  };
  await tx.db.passwordReset.upsert({
    where: { userId: user.id },
    create: { userId: user.id, ...link },
    update: link,
    select: { userId: true },
  });
  return `/reset-password?token=${token}`;
}

export async function voidPasswordResetLink({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.passwordReset.deleteMany({ where: { userId } });
}
