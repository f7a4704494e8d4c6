import type { Context } from "@/server/core/context";
import { toEmailKey } from "@/server/core/schema";
import { fromNow, HOUR } from "@/server/core/time";
import type { MailRecipient } from "@/server/domains/accounts/users/service/find";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import {
  createSixDigitCode,
  createToken,
  hashCode,
  hashSecret,
} from "@/server/infrastructure/secrets/tokens";
import { VERIFICATION_HOURS } from "../contract";

/** Mails a link and a code. Voids those of earlier mails to the account. */
export async function sendVerificationMail(
  tx: Pick<Context, "db" | "sql" | "locale">,
  user: MailRecipient,
): Promise<void> {
  const token = createToken("dsv");
  const code = createSixDigitCode();
  const key = toEmailKey(user.email);
  await voidVerifications(tx, user.id);
  await tx.db.emailVerification.create({
    data: {
      userId: user.id,
      emailKey: key,
      tokenHash: hashSecret(token),
      codeHash: hashCode(code, `verify:${key}`),
      expiresAt: fromNow(VERIFICATION_HOURS * HOUR),
    },
    select: { id: true },
  });
  await mailUser(tx, user, {
    template: "verify_email",
    params: { hours: VERIFICATION_HOURS },
    path: `/verify-email?token=${token}`,
    code,
    provesAddress: true,
  });
}

export async function voidVerifications({ db }: Pick<Context, "db">, userId: number): Promise<void> {
  await db.emailVerification.deleteMany({ where: { userId, usedAt: null } });
}
