import { FALLBACK_LOCALE } from "@/server/core/locale";
import { DAY, fromNow } from "@/server/core/time";
import { takeDutyReminders } from "@/server/domains/accounts/users/service/duty";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { findOutdated, keepDue } from "./statements";

/** Accounts that are looked at, changed or mailed at once. */
const BATCH = 500;

/** Tells every account by when it needs a second factor, after somebody changed who does. */
export async function applyFactorDutiesJob(): Promise<void> {
  for (let after = 0; ; ) {
    const [found] = await findOutdated(outside(), { after, take: BATCH });
    if (!found || found.last === null) return;
    if (found.outdated.length > 0) await keepDue(outside(), { ids: found.outdated });
    after = found.last;
  }
}

/** Days before the end of the days of grace that an account's owner is mailed. */
const NOTICE_DAYS = 7;

/** Mails whoever needs a second factor within a week, or by now, once for each end of the days of grace. */
export async function remindOfFactorDutyJob(): Promise<void> {
  for (;;) {
    const mailed = await inTransaction(async (tx) => {
      const due = await takeDutyReminders(tx, { before: fromNow(NOTICE_DAYS * DAY), take: BATCH });
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
