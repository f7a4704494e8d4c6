import { FALLBACK_LOCALE } from "@/server/core/locale";
import { DAY, fromNow } from "@/server/core/time";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { claimTwoFactorReminders } from "@/server/domains/accounts/users/service/two-factor-requirement";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { findOutdatedDeadlines, updateFactorDeadlines } from "./statements";

const BATCH_SIZE = 500;

/** Updates the stored deadlines of all accounts after a change of the requirements, in batches by id. */
export async function applyTwoFactorRequirementsJob(): Promise<void> {
  for (let afterId = 0; ; ) {
    const [batch] = await findOutdatedDeadlines(withoutTransaction(), { afterId, take: BATCH_SIZE });
    if (!batch || batch.lastId === null) return;
    if (batch.outdatedIds.length > 0)
      await updateFactorDeadlines(withoutTransaction(), { ids: batch.outdatedIds });
    afterId = batch.lastId;
  }
}

const DEADLINE_NOTICE_DAYS = 7;

/** Mails each account once per deadline: a week before it, or later if the deadline was set later. */
export async function remindOfTwoFactorRequirementJob(): Promise<void> {
  for (;;) {
    const mailedCount = await inTransaction(async (tx) => {
      const accounts = await claimTwoFactorReminders(tx, {
        before: fromNow(DEADLINE_NOTICE_DAYS * DAY),
        take: BATCH_SIZE,
      });
      for (const { id, enrolBy } of accounts)
        await notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, id, "second_factor_due", {
          path: "/settings/security",
          params: { time: enrolBy },
        });
      return accounts.length;
    });
    if (mailedCount < BATCH_SIZE) return;
  }
}
