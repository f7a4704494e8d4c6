import type { AdditionKind } from "@/server/core/domain";
import { FALLBACK_LOCALE } from "@/server/core/locale";
import { DAY, fromNow } from "@/server/core/time";
import { lockUserIfAny } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { nameAdditions } from "./service";

export async function mailAdditionsJob({ userId }: { userId: number }): Promise<void> {
  await inTransaction(async (tx) => {
    if (!(await lockUserIfAny(tx, userId))) return;
    const added = await tx.db.accountAddition.updateManyAndReturn({
      where: { userId, mailedAt: null },
      data: { mailedAt: new Date() },
      select: { kind: true, name: true, createdAt: true },
    });
    if (added.length === 0) return;
    const named = added
      .map(({ kind, name, createdAt: at }) => ({ kind: kind as AdditionKind, name, at }))
      .sort((a, b) => a.at.getTime() - b.at.getTime());
    await notifyOwner({ ...tx, locale: FALLBACK_LOCALE }, userId, "account_additions", {
      params: (reader) => ({ added: nameAdditions(named, reader) }),
    });
  });
}

export async function deleteOldAdditionsJob(): Promise<void> {
  await withoutTransaction().db.accountAddition.deleteMany({
    where: { createdAt: { lt: fromNow(-3 * DAY) } },
  });
}
