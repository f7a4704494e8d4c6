import type { Context } from "@/server/core/context";
import { payingAt } from "../service";
import { suspendUnpaid } from "./suspend";

/** Suspends the site unless something else pays for it. Returns false if the licence is not pending. */
export async function waiveLicence(tx: Context, id: number): Promise<boolean> {
  const [licence] = await tx.db.siteLicence.updateManyAndReturn({
    where: { id, status: "pending" },
    data: { status: "cancelled", closedReason: "waived" },
    select: { siteId: true },
  });
  if (!licence) return false;
  const unpaid = await tx.db.site.findFirst({
    where: {
      id: licence.siteId,
      deletedAt: null,
      isActive: true,
      subscriptionId: null,
      licences: { none: payingAt(new Date()) },
    },
    select: { id: true },
  });
  if (unpaid) await suspendUnpaid(tx, { siteId: unpaid.id, licenceId: id });
  return true;
}
