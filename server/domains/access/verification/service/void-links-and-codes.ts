import { voidPasswordResetLink } from "@/server/domains/access/sign-in/service/request-reset";
import { deleteInterimTokens } from "@/server/domains/access/tokens/service/tokens";
import { invalidateDeletionCode } from "@/server/domains/accounts/users/service/personal-data";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { voidVerifications } from "./verification-mail";

/** Voids reset and verification links, pending sign-ins and the deletion code of an account. */
export async function voidLinksAndCodes(tx: DbAccess, userId: number): Promise<void> {
  await voidPasswordResetLink(tx, userId);
  await voidVerifications(tx, userId);
  await deleteInterimTokens(tx, userId);
  await invalidateDeletionCode(tx, userId);
}
