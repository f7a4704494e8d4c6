import { MAIL_LOCALE_SELECT } from "@/server/core/locale";
import { toEmailKey } from "@/server/core/schema";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

export interface MailRecipient {
  id: number;
  name: string;
  email: string;
  locale: string | null;
  signUpLocale: string | null;
}

export async function findUserByEmail(
  { db }: Pick<DbAccess, "db">,
  email: string,
): Promise<MailRecipient | null> {
  return db.user.findUnique({
    where: { emailKey: toEmailKey(email) },
    select: { id: true, name: true, email: true, ...MAIL_LOCALE_SELECT },
  });
}

/** True if an account has this address, or an account other than `requesterId` may return to it. */
export async function isEmailTaken(
  access: Pick<DbAccess, "db">,
  { email, requesterId }: { email: string; requesterId: number },
): Promise<boolean> {
  return (await findUserByEmail(access, email)) !== null || isEmailReserved(access, { email, requesterId });
}

/** Filter for applied address changes that the previous address can still undo. */
export const undoableEmailChangeFilter = () =>
  ({
    appliedAt: { not: null },
    undoneAt: null,
    expiresAt: { gt: new Date() },
    user: { anonymisedAt: null },
  }) satisfies Prisma.EmailChangeWhereInput;

/** After a hijacked change, the attacker must not block the owner's return with a new account. */
export async function isEmailReserved(
  { db }: Pick<DbAccess, "db">,
  { email, requesterId }: { email: string; requesterId: number },
): Promise<boolean> {
  const change = await db.emailChange.findFirst({
    where: {
      oldEmailKey: toEmailKey(email),
      userId: { not: requesterId },
      ...undoableEmailChangeFilter(),
    },
    select: { id: true },
  });
  return change !== null;
}
