import { HealthCheckError } from "@/server/core/domain";
import { DAY, fromNow } from "@/server/core/time";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

export async function checkNoAbandonedCleanups(access: Pick<DbAccess, "db">): Promise<string> {
  if ((await countAbandonedCleanups(access)) > 0) throw new HealthCheckError("given up");
  return "in time";
}

/**
 * Counts clean-ups that were given up in the last week. Retries end after 30 days (perform-item.ts). Ignores
 * Evolution servers: customers run them and could fail the check.
 */
async function countAbandonedCleanups({ db }: Pick<DbAccess, "db">): Promise<number> {
  const finishedAt = { gt: fromNow(-7 * DAY) };
  const itemCount = await db.cleanupItem.count({
    where: {
      ...{ state: "failed", nextAt: null, reason: "remote_failed", finishedAt },
      createdAt: { lt: fromNow(-30 * DAY) },
      channel: { not: "whatsapp_qr" },
    },
  });
  const taskCount = await db.teardownTask.count({
    where: { state: "failed", finishedAt, NOT: { error: { startsWith: "whatsapp_qr" } } },
  });
  return itemCount + taskCount;
}
