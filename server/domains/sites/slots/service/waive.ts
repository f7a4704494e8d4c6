import type { Context } from "@/server/core/context";
import { whereLicenceCoversSiteAt } from "../service";
import { suspendUnpaidSite } from "./suspend";

/** Cancels a pending licence and suspends its site if nothing pays. Returns false if it is not pending. */
export async function waiveLicence(tx: Context, id: number): Promise<boolean> {
  const [licence] = await tx.db.siteLicence.updateManyAndReturn({
    where: { id, status: "pending" },
    data: { status: "cancelled", closedReason: "waived" },
    select: { siteId: true },
  });
  if (!licence) return false;
  const unpaidSite = await tx.db.site.findFirst({
    where: {
      id: licence.siteId,
      deletedAt: null,
      isActive: true,
      subscriptionId: null,
      licences: { none: whereLicenceCoversSiteAt(new Date()) },
    },
    select: { id: true },
  });
  if (unpaidSite) await suspendUnpaidSite(tx, { siteId: unpaidSite.id, licenceId: id });
  return true;
}
