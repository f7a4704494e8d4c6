import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { isAppError, refuse } from "@/server/core/errors";
import { maskEmail } from "@/server/core/mask";
import { text } from "@/server/core/texts";
import { fromNow, HOUR, isoMicros } from "@/server/core/time";
import { revokeAll } from "@/server/domains/access/tokens/service/tokens";
import { audit } from "@/server/domains/accounts/audit/service";
import { takeAddress } from "@/server/domains/accounts/users/service/change";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { digest, isToken, newToken } from "@/server/infrastructure/secrets/tokens";
import { type confirmEmailChange, UNDO_HOURS, type undoEmailChange } from "../contract";
import { confirmChange } from "../statements";
import { endLinks, tellOldAddress } from "./email";

/**
 * Undoes a change from the old address: its verification returns, later changes are void, and every session ends. The
 * statement that reads the link also spends it.
 */
export async function undo(
  ctx: Context,
  { body }: Input<typeof undoEmailChange>,
): Promise<Output<typeof undoEmailChange>> {
  if (!isToken(body.token, "dsc")) throw refuse("email_change_invalid");
  const now = new Date();
  return withTransaction(ctx, async (tx) => {
    const [change] = await tx.db.emailChange.updateManyAndReturn({
      where: {
        tokenHash: digest(body.token),
        appliedAt: { not: null },
        undoneAt: null,
        expiresAt: { gt: now },
        user: { anonymisedAt: null },
      },
      data: { undoneAt: now },
      select: {
        id: true,
        userId: true,
        oldEmail: true,
        oldVerified: true,
        user: { select: { name: true, locale: true } },
      },
    });
    if (!change) throw refuse("email_change_invalid");
    const { userId, user } = change;
    await takeAddress(tx, userId, { email: change.oldEmail, verifiedAt: change.oldVerified }).catch(
      noLongerPossible,
    );
    await tx.db.emailChange.updateMany({
      where: { userId, undoneAt: null, OR: [{ id: { gt: change.id } }, { appliedAt: null }] },
      data: { undoneAt: now },
    });
    await endLinks(tx, userId);
    await revokeAll(tx, userId);
    await audit(tx, {
      action: "profile.email_change_undone",
      object: { type: "User", id: userId },
      actorId: userId,
    });
    const back = { ...user, id: userId, email: change.oldEmail };
    await mailUser(tx, back, { template: "email_change_undone", path: "/forgot-password" });
    return {
      success: true as const,
      message: text(ctx.locale, "responses.email_change_undone"),
      masked_email: maskEmail(change.oldEmail),
    };
  });
}

/** Somebody else has the old address although it was reserved: the link is invalid. */
function noLongerPossible(error: unknown): never {
  throw isAppError(error) ? refuse("email_change_invalid") : error;
}

/**
 * Confirms the new address; only now it becomes the account's. The same row then serves the undo: its token is
 * replaced by the one mailed to the old address.
 */
export async function confirm(
  ctx: Context,
  { body }: Input<typeof confirmEmailChange>,
): Promise<Output<typeof confirmEmailChange>> {
  if (!isToken(body.token, "dsc")) throw refuse("email_change_invalid");
  const now = new Date();
  const token = newToken("dsc");
  return withTransaction(ctx, async (tx) => {
    const [change] = await confirmChange(tx, {
      tokenHash: digest(body.token),
      undoHash: digest(token),
      undoUntil: fromNow(UNDO_HOURS * HOUR),
    });
    if (!change) throw refuse("email_change_invalid");
    const { userId, newEmail } = change;
    await takeAddress(tx, userId, { email: newEmail, verifiedAt: now });
    await endLinks(tx, userId);
    await audit(tx, {
      action: "profile.email_changed",
      object: { type: "User", id: userId },
      actorId: userId,
    });
    if (change.oldVerified) {
      const old = { id: userId, name: change.name, email: change.oldEmail, locale: change.locale };
      await tellOldAddress(tx, old, { email: newEmail, token });
    } else {
      await tx.db.emailChange.delete({ where: { id: change.id }, select: { id: true } });
    }
    return {
      success: true as const,
      message: text(ctx.locale, "responses.email_verified"),
      masked_email: maskEmail(newEmail),
      email_verified_at: isoMicros(now),
    };
  });
}
