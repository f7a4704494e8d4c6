import { emailKey } from "@/server/core/schema";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { Work } from "@/server/infrastructure/database/transaction";

/** The part of an account that is needed to mail its owner. */
export interface Addressee {
  id: number;
  name: string;
  email: string;
  locale: string | null;
}

/** Returns the account with this address, in any spelling. */
export async function findByAddress({ db }: Pick<Work, "db">, email: string): Promise<Addressee | null> {
  return db.user.findUnique({
    where: { emailKey: emailKey(email) },
    select: { id: true, name: true, email: true, locale: true },
  });
}

/** Whether somebody other than `by` has this address, or may return to it. */
export async function isAddressTaken(
  work: Pick<Work, "db">,
  { email, by }: { email: string; by: number },
): Promise<boolean> {
  return (await findByAddress(work, email)) !== null || isHeld(work, { email, by });
}

/** Changes of address that were applied, and can be undone from the address before. */
export const undoable = () =>
  ({
    appliedAt: { not: null },
    undoneAt: null,
    expiresAt: { gt: new Date() },
    user: { anonymisedAt: null },
  }) satisfies Prisma.EmailChangeWhereInput;

/**
 * Whether an address is reserved by somebody else's change that can be undone: after a hijacked change, the attacker
 * must not be able to block the owner's return with a new account.
 */
export async function isHeld(
  { db }: Pick<Work, "db">,
  { email, by }: { email: string; by: number },
): Promise<boolean> {
  const change = await db.emailChange.findFirst({
    where: {
      oldEmailKey: emailKey(email),
      userId: { not: by },
      ...undoable(),
    },
    select: { id: true },
  });
  return change !== null;
}
