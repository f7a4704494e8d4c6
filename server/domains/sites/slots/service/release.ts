import { systemContext } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service";
import type { Work } from "@/server/infrastructure/database/transaction";
import { slotsOf } from "../service";

/** What became of the sites of a subscription that ended. */
interface Released {
  moved: { siteId: number; subscriptionId: number }[];
  suspended: number[];
}

/**
 * Finds other places for the sites of a subscription that gives no slots any more: free slots of its owner's other
 * subscriptions for the oldest sites; the rest is suspended, the newest first. Lock the slots before ({@link lockSlots}).
 */
export async function releaseSites(
  tx: Work,
  { subscriptionId, userId }: { subscriptionId: number; userId: number },
): Promise<Released> {
  const sites = await tx.db.site.findMany({
    where: { subscriptionId },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  const places = (await slotsOf(tx, userId))
    .filter(({ id }) => id !== subscriptionId)
    .flatMap(({ id, slots, used }) => Array<number>(Math.max(0, slots - used)).fill(id));
  const moved = sites
    .slice(0, places.length)
    .map(({ id }, index) => ({ siteId: id, subscriptionId: places[index]! }));
  const suspended = sites
    .slice(places.length)
    .map(({ id }) => id)
    .reverse();
  for (const { siteId, subscriptionId: to } of moved) {
    await tx.db.site.updateMany({ where: { id: siteId }, data: { subscriptionId: to } });
    await audit(systemContext(tx), {
      action: "site.moved",
      object: { type: "Site", id: siteId },
      details: { from: subscriptionId, to },
    });
  }
  for (const id of suspended) {
    // Nobody but an administrator lifts what an administrator did; everybody else needs a slot first.
    const { count } = await tx.db.site.updateMany({
      where: { id, OR: [{ suspendedReason: null }, { suspendedReason: { not: "administrator" } }] },
      data: { isActive: false, suspendedReason: "subscription_ended" },
    });
    await tx.db.site.updateMany({ where: { id }, data: { subscriptionId: null } });
    if (count > 0)
      await audit(systemContext(tx), {
        action: "site.suspended",
        object: { type: "Site", id },
        details: { reason: "subscription_ended", subscription: subscriptionId },
      });
  }
  return { moved, suspended };
}
