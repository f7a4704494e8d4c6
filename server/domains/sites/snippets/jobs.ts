import { fromNow, HOUR, SECOND } from "@/server/core/time";
import { outside } from "@/server/infrastructure/database/transaction";

/** Ends a deletion of the panel, unless it was undone. A second for clocks that differ. */
export async function finishSnippetRemovalJob({ id }: { id: number }): Promise<void> {
  await outside().db.snippet.deleteMany({ where: { id, removingAt: { lte: fromNow(SECOND) } } });
}

/** Ends deletions whose job is gone. */
export async function sweepSnippetsJob(): Promise<void> {
  await outside().db.snippet.deleteMany({ where: { removingAt: { lt: fromNow(-HOUR) } } });
}
