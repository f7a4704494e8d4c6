import type { Context } from "@/server/core/context";
import { MAIL_LOCALE_SELECT } from "@/server/core/locale";
import { fromNow, HOUR } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { cancelPendingEmail, setEmail } from "@/server/domains/accounts/users/service/change";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { EMAIL_CHANGE_UNDO_HOURS } from "../contract";
import { voidLinksAndCodes } from "./void-links-and-codes";

interface ProvenAddress {
  userId: number;
  emailKey: string;
}

/** Mails the old address an undo link. Returns undefined without a pending change. */
export async function confirmPendingEmail(
  tx: Context,
  { userId, emailKey }: ProvenAddress,
): Promise<Date | undefined> {
  const account = await tx.db.user.findFirst({
    where: { id: userId, pendingEmailKey: emailKey },
    select: {
      id: true,
      name: true,
      email: true,
      emailKey: true,
      emailVerifiedAt: true,
      pendingEmail: true,
      ...MAIL_LOCALE_SELECT,
    },
  });
  if (!account?.pendingEmail) return undefined;
  const [now, token, email] = [new Date(), createToken("dsc"), account.pendingEmail];
  await setEmail(tx, userId, { email, verifiedAt: now });
  await voidLinksAndCodes(tx, userId);
  await tx.db.emailChange.create({
    data: {
      userId,
      oldEmail: account.email,
      oldEmailKey: account.emailKey,
      oldVerified: account.emailVerifiedAt,
      newEmail: email,
      newEmailKey: emailKey,
      tokenHash: hashSecret(token),
      appliedAt: now,
      expiresAt: fromNow(EMAIL_CHANGE_UNDO_HOURS * HOUR),
    },
    select: { id: true },
  });
  await audit(tx, { action: "profile.email_changed", object: { type: "User", id: userId }, actorId: userId });
  await mailUser(tx, account, {
    template: "email_changed",
    params: { hours: EMAIL_CHANGE_UNDO_HOURS, email },
    path: `/undo-email-change?token=${token}`,
  });
  return now;
}

export async function cancelCompetingEmailChanges(
  tx: Context,
  { userId, emailKey }: ProvenAddress,
): Promise<void> {
  const users = await tx.db.user.findMany({
    where: { pendingEmailKey: emailKey, id: { not: userId } },
    orderBy: { id: "asc" },
    select: { id: true, name: true, email: true, ...MAIL_LOCALE_SELECT, pendingEmail: true },
  });
  for (const user of users) {
    await cancelPendingEmail(tx, user.id);
    await mailUser(tx, user, {
      template: "email_change_ended",
      params: { email: user.pendingEmail! },
      path: "/settings/profile",
    });
  }
}
