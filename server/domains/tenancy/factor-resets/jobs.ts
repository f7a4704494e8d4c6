import { log } from "@/server/core/log";
import { reasonOf } from "@/server/core/redact";
import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { settle } from "./service/run";

/** Each in a transaction of its own, so that one that fails holds up no other. Throws the last failure: the job runs again. */
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
