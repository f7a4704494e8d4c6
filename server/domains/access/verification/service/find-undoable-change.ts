import { maskEmail } from "@/server/core/mask";
import { undoableChangeFilter } from "@/server/domains/accounts/users/service/find";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { hashSecret, isToken } from "@/server/infrastructure/secrets/tokens";

/** The addresses are masked, because anyone may have found the link. */
export interface UndoableChange {
  oldEmail: string;
  newEmail: string;
  appliedAt: string;
}

/** Returns undefined for an invalid link. Does not consume the link. */
export async function findUndoableChange(token: string): Promise<UndoableChange | undefined> {
  if (!isToken(token, "dsc")) return undefined;
  const change = await withoutTransaction().db.emailChange.findFirst({
    where: { tokenHash: hashSecret(token), ...undoableChangeFilter() },
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
