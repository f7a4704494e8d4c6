import type * as z from "zod";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { findDebt, findSlots, insertLicence, lockForNewSite, lockSubscriptions } from "./statements";

/** Fragment that selects the slots of all accounts, for statements that choose one. */
export { SLOTS_QUERY } from "./statements";

export type Slot = z.output<typeof findSlots.row>;

/** The subscription that ends first is filled first. Suspended sites keep their slot. */
export function listSlots(access: Pick<DbAccess, "sql">, userId: number): Promise<Slot[]> {
  return findSlots(access, { userId });
}

/** Condition of licences that pay for their site at a moment: in a paid year, or pending and not overdue. */
export const wherePayingAt = (moment: Date) =>
  ({
    OR: [
      { status: "active", periodStart: { lte: moment }, periodEnd: { gt: moment } },
      { status: "pending", payBy: { gt: moment } },
    ],
  }) satisfies Prisma.SiteLicenceWhereInput;

/**
 * Locks the account's subscriptions, so that a slot is used once. Lock the account first, and call {@link
 * slotsOf} afterwards: a statement that started before the lock sees the old count.
 */
export async function lockSlots(access: Pick<DbAccess, "sql">, userId: number): Promise<void> {
  await lockSubscriptions.later(access, { userId });
}

/** {@link lockSlots} for a new site. Also locks owner and parent: their reseller is stored in the site. */
export async function lockNewSite(access: Pick<DbAccess, "sql">, userId: number): Promise<void> {
  await lockForNewSite(access, { userId });
}

export const bindNewSiteLock = (userId: number) => lockForNewSite.bindParams({ userId });

export type Debt = z.output<typeof findDebt.row>;

export async function findOldestDebt(
  access: Pick<DbAccess, "sql">,
  input: { userId: number; domain: string },
): Promise<Debt | undefined> {
  const [debt] = await findDebt(access, input);
  return debt;
}

export async function openLicence(
  access: Pick<DbAccess, "sql">,
  input: { userId: number; siteId: number },
): Promise<z.output<typeof insertLicence.row>> {
  const [licence] = await insertLicence(access, input);
  return licence!;
}
