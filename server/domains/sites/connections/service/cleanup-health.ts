import { HealthCheckError } from "@/server/core/domain";
import { DAY, fromNow } from "@/server/core/time";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

export async function checkCleanups(access: Pick<DbAccess, "db">): Promise<string> {
  if ((await countGivenUp(access)) > 0) throw new HealthCheckError("given up");
  return "in time";
}

/** Ignores Evolution servers: customers run them and could fail the check by switching one off. */
async function countGivenUp({ db }: Pick<DbAccess, "db">): Promise<number> {
  const finishedAt = { gt: fromNow(-7 * DAY) };
  const items = await db.cleanupItem.count({
    where: {
      ...{ state: "failed", nextAt: null, reason: "remote_failed", finishedAt },
      createdAt: { lt: fromNow(-30 * DAY) },
      channel: { not: "whatsapp_qr" },
    },
  });
  const tasks = await db.teardownTask.count({
    where: { state: "failed", finishedAt, NOT: { error: { startsWith: "whatsapp_qr" } } },
  });
  return items + tasks;
}
