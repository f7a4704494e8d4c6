import type * as z from "zod";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { Work } from "@/server/infrastructure/database/transaction";
import { findDebt, findSlots, insertLicence, lockForNewSite, lockSubscriptions } from "./statements";

/** SQL of all accounts' slots, for statements that choose one. */
export { SLOTS } from "./statements";

/** A subscription that gives slots, and how many of them are taken. */
export type Slot = z.output<typeof findSlots.row>;

/**
 * Returns the slots of an account. The subscription that ends first comes first and is filled first. Suspended sites
 * keep their slot.
 */
export function slotsOf(work: Pick<Work, "sql">, userId: number): Promise<Slot[]> {
  return findSlots(work, { userId });
}

/** A licence that pays for its site at a moment: one whose year runs, or a new one while it may still be paid. */
export const payingAt = (moment: Date) =>
  ({
    OR: [
      { status: "active", periodStart: { lte: moment }, periodEnd: { gt: moment } },
      { status: "pending", payBy: { gt: moment } },
    ],
  }) satisfies Prisma.SiteLicenceWhereInput;

/**
 * Locks the subscriptions of a locked account until the transaction ends, so that a slot is not taken twice. Count with
 * {@link slotsOf} afterwards: a statement that started before the lock was acquired would still see the old count.
 */
export async function lockSlots(work: Pick<Work, "sql">, userId: number): Promise<void> {
  await lockSubscriptions.later(work, { userId });
}

/** The same for a site that is yet to be created, with the accounts that decide whose customer it will count for. */
export async function lockNewSite(work: Pick<Work, "sql">, userId: number): Promise<void> {
  await lockForNewSite(work, { userId });
}

/** The same as a statement, for what must happen in one round trip. */
export const newSiteLock = (userId: number) => lockForNewSite.with({ userId });

/** Price of an unpaid licence, its reference for the transfer, and the domain of its site if that is known. */
export type Debt = z.output<typeof findDebt.row>;

/** Returns the oldest licence that an account must pay before it opens one for a domain, or undefined. */
export async function debtOf(
  work: Pick<Work, "sql">,
  given: { userId: number; domain: string },
): Promise<Debt | undefined> {
  const [oldest] = await findDebt(work, given);
  return oldest;
}

/** Opens the annual licence of one site; it is pending until its payment is recorded. */
export async function openLicence(
  work: Pick<Work, "sql">,
  given: { userId: number; siteId: number },
): Promise<z.output<typeof insertLicence.row>> {
  const [licence] = await insertLicence(work, given);
  return licence!;
}
