import { createSystemContext } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { forEachAccount } from "@/server/domains/accounts/users/service/for-each-account";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { lockSlots } from "./service";
import { notifyUnpaidSuspension } from "./service/notices";
import { suspendUnpaidSite } from "./service/suspend";
import {
  abandonLicences,
  expireLicences,
  findHoldersToAdvance,
  lockUnpaidSites,
  openRenewals,
} from "./statements";

/** Opens renewals, expires licences and suspends unpaid sites. Only a recorded payment extends a licence. */
export async function advanceLicencesJob(): Promise<void> {
  const holders = await findHoldersToAdvance(withoutTransaction());
  await forEachAccount(
    holders.map(({ userId }) => userId),
    advanceAccountLicences,
  );
}

async function advanceAccountLicences(tx: DbAccess, userId: number): Promise<void> {
  await lockSlots(tx, userId);
  const auditLicence = async (
    action: "licence.renewal_opened" | "licence.expired" | "licence.abandoned",
    id: number,
  ) => audit(createSystemContext(tx), { action, object: { type: "SiteLicence", id } });
  for (const { id } of await openRenewals(tx, { userId })) await auditLicence("licence.renewal_opened", id);
  for (const { id } of await expireLicences(tx, { userId })) await auditLicence("licence.expired", id);
  const suspendedSiteIds = new Set<number>();
  for (const { id, licenceId } of await lockUnpaidSites(tx, { userId })) {
    // A site with two unpaid licences is suspended once, for the first row: the licence to pay.
    if (suspendedSiteIds.has(id)) continue;
    suspendedSiteIds.add(id);
    await suspendUnpaidSite(createSystemContext(tx), { siteId: id, licenceId });
    await notifyUnpaidSuspension(tx, licenceId);
  }
  // Must be last: `lockUnpaidSites` does not find the sites of cancelled licences.
  for (const { id } of await abandonLicences(tx, { userId })) await auditLicence("licence.abandoned", id);
}
