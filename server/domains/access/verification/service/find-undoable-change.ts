import { maskEmail } from "@/server/core/mask";
import { undoableEmailChangeFilter } from "@/server/domains/accounts/users/service/find";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";

/** The addresses are masked, because anyone may have found the link. */
export interface UndoableChange {
  oldEmail: string;
  newEmail: string;
  appliedAt: string;
}

/** Returns undefined for an invalid link. Does not consume the link. */
export async function findUndoableChange(token: string): Promise<UndoableChange | undefined> {
  if (!isWellFormedToken(token, "dsc")) return undefined;
  const change = await withoutTransaction().db.emailChange.findFirst({
    where: { tokenHash: hashSecret(token), ...undoableEmailChangeFilter() },
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
