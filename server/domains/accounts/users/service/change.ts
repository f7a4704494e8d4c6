import { invalidCounted } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { isTaken } from "@/server/infrastructure/database/failure";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { Work } from "@/server/infrastructure/database/transaction";
import { isHeld } from "./find";

/** Columns with a function of their own are not among them: the address, and credits, which the ledger moves. */
type Changes = Omit<
  Prisma.UserUncheckedUpdateManyInput,
  "id" | "email" | "emailKey" | "credits" | "createdAt" | "updatedAt"
>;

/** What a person has put into the row of their account, taken out again. */
export const BLANK = {
  phone: null,
  phoneVerifiedAt: null,
  passwordHash: null,
  locale: null,
  timezone: null,
  appName: null,
  appLogoUrl: null,
  appPrimaryColor: null,
  provider: null,
  avatarUrl: null,
  menuLabels: {},
  emailVerifiedAt: null,
} satisfies Changes;

/** Changes the row of an account. False when there is none, or it has another address than `emailKey` by now. */
export async function updateUser(
  { db }: Pick<Work, "db">,
  account: { id: number; emailKey?: string },
  changes: Changes,
): Promise<boolean> {
  const { count } = await db.user.updateMany({ where: account, data: changes });
  return count === 1;
}

/** Writes the same address in another way; false when it is another one. */
export async function respellAddress(
  { db }: Pick<Work, "db">,
  userId: number,
  email: string,
): Promise<boolean> {
  const { count } = await db.user.updateMany({
    where: { id: userId, emailKey: emailKey(email) },
    data: { email },
  });
  return count === 1;
}

/**
 * Gives an account this address. Two that want it: the index lets one through. Throws `validation` when it is somebody
 * else's.
 */
export async function takeAddress(
  { db }: Pick<Work, "db">,
  userId: number,
  { email, verifiedAt }: { email: string; verifiedAt: Date | null },
): Promise<void> {
  const data = { email, emailKey: emailKey(email), emailVerifiedAt: verifiedAt };
  await db.user.update({ where: { id: userId }, data, select: { id: true } }).catch((error: unknown) => {
    throw isTaken(error, "email_key") ? invalidCounted("email", "email_in_use") : error;
  });
  if (await isHeld({ db }, { email, by: userId })) throw invalidCounted("email", "email_in_use");
}

/** Notes that an address is its owner's, and answers since when; undefined when the account has another one by now. */
export async function confirmAddress(
  { db }: Pick<Work, "db">,
  { userId, emailKey }: { userId: number; emailKey: string },
): Promise<Date | undefined> {
  const account = { id: userId, emailKey };
  await db.user.updateMany({
    where: { ...account, emailVerifiedAt: null },
    data: { emailVerifiedAt: new Date() },
  });
  const user = await db.user.findUnique({ where: account, select: { emailVerifiedAt: true } });
  return user?.emailVerifiedAt ?? undefined;
}
