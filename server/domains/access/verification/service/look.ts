import { maskEmail } from "@/server/core/mask";
import { undoable } from "@/server/domains/accounts/users/service/find";
import { outside } from "@/server/infrastructure/database/transaction";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";

/** Masked: anyone may have found the link. */
export interface UndoableChange {
  oldEmail: string;
  newEmail: string;
  appliedAt: string;
}

/** Undefined for an invalid link; does not use it up. */
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
