import type { AdditionKind } from "@/server/core/domain";
import { FALLBACK_LOCALE } from "@/server/core/locale";
import { DAY, fromNow } from "@/server/core/time";
import { lockUserIfExists } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { formatAdditions } from "./service";

export async function mailAdditionsJob({ userId }: { userId: number }): Promise<void> {
  await inTransaction(async (tx) => {
    if (!(await lockUserIfExists(tx, userId))) return;
    const additions = await tx.db.accountAddition.updateManyAndReturn({
      where: { userId, mailedAt: null },
      data: { mailedAt: new Date() },
      select: { kind: true, name: true, createdAt: true },
    });
    if (additions.length === 0) return;
    const sortedAdditions = additions
      .map(({ kind, name, createdAt }) => ({ kind: kind as AdditionKind, name, at: createdAt }))
      .sort((a, b) => a.at.getTime() - b.at.getTime());
    await notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, userId, "account_additions", {
      params: (reader) => ({ added: formatAdditions(sortedAdditions, reader) }),
    });
  });
}

export async function deleteOldAdditionsJob(): Promise<void> {
  await withoutTransaction().db.accountAddition.deleteMany({
    where: { createdAt: { lt: fromNow(-3 * DAY) } },
  });
}
