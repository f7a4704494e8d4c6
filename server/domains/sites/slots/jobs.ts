import { systemContext } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { lockUnpaid } from "./statements";

/** Suspends sites whose licence was not paid in time. */
export async function suspendUnpaidLicencesJob(): Promise<void> {
  await inTransaction(async (tx) => {
    const ids = (await lockUnpaid(tx)).map(({ id }) => id);
    await tx.db.site.updateMany({
      where: { id: { in: ids } },
      data: { isActive: false, suspendedReason: "licence_unpaid" },
    });
    for (const id of ids)
      await audit(systemContext(tx), {
        action: "site.suspended",
        object: { type: "Site", id },
        details: { reason: "licence_unpaid" },
      });
  });
}
