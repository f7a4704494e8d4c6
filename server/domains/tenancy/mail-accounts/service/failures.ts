import type { MailFailure } from "@/server/core/errors";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { MailAccountResponse } from "../contract";

export async function readRecentFailures(
  { db }: Pick<DbAccess, "db">,
  account: { id: number } | null,
): Promise<MailAccountResponse["failures"]> {
  if (!account) return { count: 0, last: null };
  const where = { accountId: account.id, at: { gt: fromNow(-DAY) } };
  const lastFailure = await db.mailAccountFailure.findFirst({
    where,
    orderBy: [{ at: "desc" }, { id: "desc" }],
    select: { reason: true, at: true },
  });
  if (!lastFailure) return { count: 0, last: null };
  const count = await db.mailAccountFailure.count({ where });
  return { count, last: { reason: lastFailure.reason as MailFailure, at: toIsoMicros(lastFailure.at) } };
}
