import { createSystemContext } from "@/server/core/context";
import { FALLBACK_LOCALE } from "@/server/core/locale";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { findNewestAgreement } from "./service/agreement-texts";

/** Notifies each reseller once per version, until the version becomes required. */
export async function remindAgreementJob(): Promise<void> {
  const { version, publishedAt, requiredFrom } = await findNewestAgreement(
    withoutTransaction(),
    FALLBACK_LOCALE,
  );
  if (!publishedAt || !requiredFrom || requiredFrom <= new Date()) return;
  const where = {
    agreementSignedAt: { lt: publishedAt },
    OR: [{ remindedVersion: null }, { remindedVersion: { not: version } }],
    user: { role: "reseller" as const, isActive: true },
  };
  const resellers = await withoutTransaction().db.reseller.findMany({ where, select: { userId: true } });
  for (const { userId } of resellers)
    await inTransaction(async (transaction) => {
      const { count } = await transaction.db.reseller.updateMany({
        where: { userId, ...where },
        data: { remindedVersion: version },
      });
      if (count > 0)
        await notifyOwner(createSystemContext(transaction), userId, "agreement_changed", {
          path: "/reseller/agreement",
          params: ({ formatDay }) => ({ date: formatDay(requiredFrom) }),
        });
    });
}
