import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { createError, invalidField } from "@/server/core/errors";
import { toIsoMicros } from "@/server/core/time";
import { checkNewPassword } from "@/server/domains/access/sign-in/service/passwords";
import { voidPasswordResetLink } from "@/server/domains/access/sign-in/service/request-reset";
import { revokeOtherAccess } from "@/server/domains/access/tokens/service/tokens";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { findHistoryStart } from "@/server/domains/accounts/audit/service/history";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { invalidateDeletionCode } from "@/server/domains/accounts/users/service/personal-data";
import {
  consumePointOrThrow,
  type RateLimitCounter,
  resetCounter,
} from "@/server/infrastructure/rate-limit/limiter";
import { hashPassword, verifyPassword } from "@/server/infrastructure/secrets/password";
import type { getPassword } from "../contract";

/** Limits wrong passwords of a signed-in caller; the right one resets the counter. */
const PASSWORD_ATTEMPT_LIMIT: RateLimitCounter = {
  name: "current_password",
  points: 5,
  per: 15 * 60,
  limitsGuessing: true,
};

/** Checks the current password. Counts the attempt first, so that a burst cannot exceed the limit. */
export async function checkCurrentPassword(
  { actor }: Context<UserActor>,
  passwordHash: string,
  typedPassword: string | null | undefined,
): Promise<void> {
  if (!typedPassword) throw invalidField("current_password", "required");
  await consumePointOrThrow(PASSWORD_ATTEMPT_LIMIT, `u${actor.id}`);
  if (!(await verifyPassword(passwordHash, typedPassword.normalize("NFC"))))
    throw createError("current_password_wrong");
  await resetCounter(PASSWORD_ATTEMPT_LIMIT, `u${actor.id}`);
}

export async function hashNewPassword(
  password: string,
  owner: { email: string; field: string },
): Promise<string> {
  await checkNewPassword(password, owner);
  return hashPassword(password);
}

/** Revokes all other tokens, reset links and deletion codes, and notifies the owner. */
export async function revokeAfterPasswordChange(tx: Context<UserActor>): Promise<void> {
  const { id, token } = tx.actor;
  await revokeOtherAccess(tx, id, token.id);
  await voidPasswordResetLink(tx, id);
  await invalidateDeletionCode(tx, id);
  await audit(tx, { action: "password.changed", object: { type: "User", id } });
  await notifyOwner(tx, id, "password_changed");
}

export async function getPasswordState({
  actor,
  db,
}: Context<UserActor>): Promise<Output<typeof getPassword>> {
  const historyStart = await findHistoryStart({ db }, actor.id);
  const [user, lastChange] = await Promise.all([
    db.user.findUnique({ where: { id: actor.id }, select: { passwordHash: true } }),
    db.auditEvent.findFirst({
      where: {
        objectType: "User",
        objectId: String(actor.id),
        id: { gte: historyStart?.id },
        action: { in: ["password.changed", "password.reset"] },
      },
      orderBy: { id: "desc" },
      select: { at: true },
    }),
  ]);
  return {
    success: true,
    has_password: Boolean(user?.passwordHash),
    changed_at: lastChange && toIsoMicros(lastChange.at),
  };
}
