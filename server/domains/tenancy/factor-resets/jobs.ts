import { log } from "@/server/core/log";
import { reasonOf } from "@/server/core/redact";
import { inTransaction, outside } from "@/server/infrastructure/database/transaction";
import { settle } from "./service/run";

/** Settles each reset in its own transaction. Rethrows the last failure to retry the job. */
export async function runAdminActionsJob(): Promise<void> {
  const actions = await outside().db.adminAction.findMany({
    where: { state: "waiting" },
    orderBy: { runAt: "asc" },
    select: { id: true, targetId: true },
  });
  let failure: unknown;
  for (const action of actions)
    await inTransaction((work) => settle(work, action)).catch((error: unknown) => {
      failure = error;
      log.error({ event: "admin_actions.failed", action: action.id, reason: reasonOf(error) });
    });
  if (failure) throw failure;
}
