import { log } from "@/server/core/log";
import { getErrorReason } from "@/server/core/redact";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { settleReset } from "./service/settle";

/** Settles each reset in its own transaction. Rethrows the last failure to retry the job. */
export async function runAdminActionsJob(): Promise<void> {
  const waitingResets = await withoutTransaction().db.adminAction.findMany({
    where: { state: "waiting" },
    orderBy: { runAt: "asc" },
    select: { id: true, targetId: true },
  });
  let lastError: unknown;
  for (const waitingReset of waitingResets)
    await inTransaction((transaction) => settleReset(transaction, waitingReset)).catch((error: unknown) => {
      lastError = error;
      log.error({ event: "admin_actions.failed", action: waitingReset.id, reason: getErrorReason(error) });
    });
  if (lastError) throw lastError;
}
