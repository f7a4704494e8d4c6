import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, isAppError } from "@/server/core/errors";
import { MAIL_LOCALE_SELECT, toMailLocale } from "@/server/core/locale";
import { maskEmail } from "@/server/core/mask";
import { formatText } from "@/server/core/texts";
import { endRecentAdditions } from "@/server/domains/access/sign-in/service/end-additions";
import {
  buildRemovedMethodParams,
  getSuspectStartBefore,
  removeAccessAddedSince,
} from "@/server/domains/access/sign-in/service/removed-methods";
import { revokeAllAccess } from "@/server/domains/access/tokens/service/tokens";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { setEmail, updateUser } from "@/server/domains/accounts/users/service/change";
import { undoableEmailChangeFilter } from "@/server/domains/accounts/users/service/find";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import type { undoEmailChange } from "../contract";
import { voidLinksAndCodes } from "./void-links-and-codes";

/**
 * Defends against an intruder who changed the address: restores it, voids later changes, ends every session
 * and key, and removes the password and the sign-in methods added since shortly before the change.
 */
export async function undoEmailChangeByLink(
  ctx: Context,
  { body }: Input<typeof undoEmailChange>,
): Promise<Output<typeof undoEmailChange>> {
  if (!isWellFormedToken(body.token, "dsc")) throw createError("email_change_invalid");
  const tokenHash = hashSecret(body.token);
  return withTransaction(ctx, async (tx) => {
    const link = await tx.db.emailChange.findUnique({ where: { tokenHash }, select: { userId: true } });
    if (!link) throw createError("email_change_invalid");
    // Wait for a concurrent change, so that it is undone, too.
    await lockUser(tx, link.userId);
    const now = new Date();
    const [change] = await tx.db.emailChange.updateManyAndReturn({
      where: { tokenHash, ...undoableEmailChangeFilter() },
      data: { undoneAt: now },
      select: {
        id: true,
        userId: true,
        oldEmail: true,
        oldVerified: true,
        appliedAt: true,
        user: { select: { name: true, ...MAIL_LOCALE_SELECT } },
      },
    });
    if (!change) throw createError("email_change_invalid");
    const { userId, user } = change;
    // Before setEmail, which would clear a pending change without auditing it.
    await revokeAllAccess(tx, userId);
    await setEmail(tx, userId, { email: change.oldEmail, verifiedAt: change.oldVerified }).catch(
      rejectTakenAddress,
    );
    await tx.db.emailChange.updateMany({
      where: { userId, undoneAt: null, id: { gt: change.id } },
      data: { undoneAt: now },
    });
    await voidLinksAndCodes(tx, userId);
    await updateUser(tx, { id: userId }, { passwordHash: null });
    const since = getSuspectStartBefore(change.appliedAt!);
    await endRecentAdditions(tx, userId, { since, cause: "undo" });
    const removedMethods = await removeAccessAddedSince(tx, userId, { since });
    const params = buildRemovedMethodParams(removedMethods, toMailLocale(user, tx.locale));
    await audit(tx, {
      action: "profile.email_change_undone",
      object: { type: "User", id: userId },
      actorId: userId,
      details: { removed: params.ways || null },
    });
    const owner = { ...user, id: userId, email: change.oldEmail };
    await mailUser(tx, owner, {
      template: "email_change_undone",
      params,
      path: "/forgot-password",
    });
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.email_change_undone"),
      masked_email: maskEmail(change.oldEmail),
    };
  });
}

/** `setEmail` throws when another account has taken the old address. */
function rejectTakenAddress(error: unknown): never {
  throw isAppError(error) ? createError("email_change_invalid") : error;
}
