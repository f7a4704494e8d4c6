import { FALLBACK_LOCALE } from "@/server/core/locale";
import { DAY, fromNow } from "@/server/core/time";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { claimTwoFactorReminders } from "@/server/domains/accounts/users/service/two-factor-requirement";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { findOutdated, updateFactorDeadlines } from "./statements";

const BATCH = 500;

export async function applyFactorDutiesJob(): Promise<void> {
  for (let after = 0; ; ) {
    const [batch] = await findOutdated(withoutTransaction(), { after, take: BATCH });
    if (!batch || batch.last === null) return;
    if (batch.outdated.length > 0) await updateFactorDeadlines(withoutTransaction(), { ids: batch.outdated });
    after = batch.last;
  }
}

const NOTICE_DAYS = 7;

/** Mails accounts before and after their deadline, once for each deadline. */
export async function remindOfFactorDutyJob(): Promise<void> {
  for (;;) {
    const mailed = await inTransaction(async (tx) => {
      const due = await claimTwoFactorReminders(tx, { before: fromNow(NOTICE_DAYS * DAY), take: BATCH });
      for (const { id, enrolBy } of due)
        await notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, id, "second_factor_due", {
          path: "/settings/security",
          params: { time: enrolBy },
        });
      return due.length;
    });
    if (mailed < BATCH) return;
  }
}
