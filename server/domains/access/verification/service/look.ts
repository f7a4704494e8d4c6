import { maskEmail } from "@/server/core/mask";
import { undoable } from "@/server/domains/accounts/users/service/find";
import { outside } from "@/server/infrastructure/database/transaction";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";

/** A change that its link can still undo, as a stranger who finds the link may see it. */
export interface UndoableChange {
  oldEmail: string;
  newEmail: string;
  appliedAt: string;
}

/** Returns the change behind an undo link, for its page; undefined for a dead one. Spends nothing. */
export async function lookAtUndo(token: string): Promise<UndoableChange | undefined> {
  if (!isToken(token, "dsc")) return undefined;
  const change = await outside().db.emailChange.findFirst({
    where: { tokenHash: digest(token), ...undoable() },
    select: { oldEmail: true, newEmail: true, appliedAt: true },
  });
  return change?.appliedAt
    ? {
        oldEmail: maskEmail(change.oldEmail),
        newEmail: maskEmail(change.newEmail),
        appliedAt: change.appliedAt.toISOString(),
      }
    : undefined;
}
