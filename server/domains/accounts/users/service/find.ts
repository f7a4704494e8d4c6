import { emailKey } from "@/server/core/schema";
import type { Work } from "@/server/infrastructure/database/transaction";

/** An account, as far as one needs it to mail its owner. */
export interface Addressee {
  id: number;
  name: string;
  email: string;
  locale: string | null;
}

/** The account with this address, in any spelling of it. */
export async function findByAddress({ db }: Pick<Work, "db">, email: string): Promise<Addressee | null> {
  return db.user.findUnique({
    where: { emailKey: emailKey(email) },
    select: { id: true, name: true, email: true, locale: true },
  });
}

/** Whether somebody other than `by` has this address, or may come back to it. */
export async function isAddressTaken(
  work: Pick<Work, "db">,
  { email, by }: { email: string; by: number },
): Promise<boolean> {
  return (await findByAddress(work, email)) !== null || isHeld(work, { email, by });
}

/**
 * Whether an address still belongs to somebody else's change that can be undone: whoever takes over an
 * account must not be able to put a new account in the way of its owner's return.
 */
export async function isHeld(
  { db }: Pick<Work, "db">,
  { email, by }: { email: string; by: number },
): Promise<boolean> {
  const change = await db.emailChange.findFirst({
    where: {
      oldEmailKey: emailKey(email),
      userId: { not: by },
      appliedAt: { not: null },
      undoneAt: null,
      expiresAt: { gt: new Date() },
      user: { anonymisedAt: null },
    },
    select: { id: true },
  });
  return change !== null;
}
