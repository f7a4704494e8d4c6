import type * as z from "zod";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { findDebt, findSlots, insertLicence, lockForNewSite, lockSubscriptions } from "./statements";

/** Fragment that selects the slots of all accounts, for statements that choose one. */
export { SLOTS } from "./statements";

export type Slot = z.output<typeof findSlots.row>;

/** The subscription that ends first comes first and is filled first. Suspended sites keep their slot. */
export function slotsOf(work: Pick<DbAccess, "sql">, userId: number): Promise<Slot[]> {
  return findSlots(work, { userId });
}

/** Licences that pay for their site at a moment: in a running year, or new and not yet overdue. */
export const payingAt = (moment: Date) =>
  ({
    OR: [
      { status: "active", periodStart: { lte: moment }, periodEnd: { gt: moment } },
      { status: "pending", payBy: { gt: moment } },
    ],
  }) satisfies Prisma.SiteLicenceWhereInput;

/**
 * Locks the account's subscriptions, so that a slot is used once. Lock the account before, and call
 * {@link slotsOf} afterwards: a statement that started before the lock sees the old count.
 */
export async function lockSlots(work: Pick<DbAccess, "sql">, userId: number): Promise<void> {
  await lockSubscriptions.later(work, { userId });
}

/** {@link lockSlots} for a new site. Also locks owner and parent: their reseller is stored in the site. */
export async function lockNewSite(work: Pick<DbAccess, "sql">, userId: number): Promise<void> {
  await lockForNewSite(work, { userId });
}

export const newSiteLock = (userId: number) => lockForNewSite.bindParams({ userId });

export type Debt = z.output<typeof findDebt.row>;

/** Returns the oldest licence that an account must pay before it opens one for this domain. */
export async function debtOf(
  work: Pick<DbAccess, "sql">,
  input: { userId: number; domain: string },
): Promise<Debt | undefined> {
  const [oldest] = await findDebt(work, input);
  return oldest;
}

export async function openLicence(
  work: Pick<DbAccess, "sql">,
  input: { userId: number; siteId: number },
): Promise<z.output<typeof insertLicence.row>> {
  const [licence] = await insertLicence(work, input);
  return licence!;
}
