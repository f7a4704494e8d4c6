import { fromNow, HOUR, SECOND } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";

/** Completes a deletion unless it was undone. Tolerates a clock difference of one second. */
export async function finishSnippetRemovalJob({ id }: { id: number }): Promise<void> {
  await withoutTransaction().db.snippet.deleteMany({ where: { id, removingAt: { lte: fromNow(SECOND) } } });
}

/** Completes deletions whose job was lost. */
export async function sweepSnippetsJob(): Promise<void> {
  await withoutTransaction().db.snippet.deleteMany({ where: { removingAt: { lt: fromNow(-HOUR) } } });
}
