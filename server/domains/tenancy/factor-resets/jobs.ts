import { log } from "@/server/core/log";
import { reasonOf } from "@/server/core/redact";
import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { settle } from "./service/run";

/**
 * Settles each reset in its own transaction, so that a failure does not block others. Rethrows the last
 * failure, and the job runs again.
 */
export async function runAdminActionsJob(): Promise<void> {
  const waiting = await outside().db.adminAction.findMany({
    where: { state: "waiting" },
    orderBy: { runAt: "asc" },
    select: { id: true, targetId: true },
  });
  let failure: unknown;
  for (const action of waiting)
    await inTransaction((work) => settle(work, action)).catch((error: unknown) => {
      failure = error;
      log.error({ event: "admin_actions.failed", action: action.id, reason: reasonOf(error) });
    });
  if (failure) throw failure;
}
