import { Finding } from "@/server/core/domain";
import { DAY, fromNow } from "@/server/core/time";
import type { Work } from "@/server/infrastructure/database/transaction";

/** Whether everything could be undone at outside parties, as a part of health. */
export async function watchCleanups(work: Pick<Work, "db">): Promise<string> {
  if ((await givenUp(work)) > 0) throw new Finding("given up");
  return "in time";
}

/**
 * What was undone at outside parties for thirty days in vain, during a week. A server that a customer names is left out:
 * nobody should turn this light red by switching off their own.
 */
async function givenUp({ db }: Pick<Work, "db">): Promise<number> {
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
