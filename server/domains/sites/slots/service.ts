import type * as z from "zod";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import {
  findDebt,
  findSlotSubscriptions,
  insertLicence,
  lockSlotsAndOwner,
  lockSubscriptions,
} from "./statements";

/** For statements that choose a slot themselves. */
export { LICENCE_COVERS_SITE_SQL, SLOT_SUBSCRIPTIONS_QUERY, sumDueLicences } from "./statements";

export type SlotSubscription = z.output<typeof findSlotSubscriptions.row>;

/** The subscription that ends first comes first and is filled first. Suspended sites keep their slot. */
export function listSlotSubscriptions(
  access: Pick<DbAccess, "sql">,
  userId: number,
): Promise<SlotSubscription[]> {
  return findSlotSubscriptions(access, { userId });
}

/**
 * Condition of licences that pay for their site at a moment: in a paid year, or pending and not overdue.
 * `LICENCE_COVERS_SITE_SQL` is the same rule.
 */
export const whereLicenceCoversSiteAt = (moment: Date) =>
  ({
    OR: [
      { status: "active", periodStart: { lte: moment }, periodEnd: { gt: moment } },
      { status: "pending", payBy: { gt: moment } },
    ],
  }) satisfies Prisma.SiteLicenceWhereInput;

/** Locks the subscriptions. Lock the account first; count slots in a later statement than this one. */
export async function lockSlots(access: Pick<DbAccess, "sql">, userId: number): Promise<void> {
  await lockSubscriptions.sendWithoutWaiting(access, { userId });
}

/** {@link lockSlots} for a new site. Also locks owner and parent, because the site stores their reseller. */
export async function lockSlotsForNewSite(access: Pick<DbAccess, "sql">, userId: number): Promise<void> {
  await lockSlotsAndOwner(access, { userId });
}

export const bindSlotLockForNewSite = (userId: number) => lockSlotsAndOwner.bindParams({ userId });

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
