import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { toEmailKey } from "@/server/core/schema";
import { formatText } from "@/server/core/texts";
import { mailPasswordResetLink } from "@/server/domains/access/sign-in/service/request-reset";
import { resetPasswordAttempts } from "@/server/domains/access/sign-in/service/throttle";
import { endSignIns } from "@/server/domains/access/tokens/service/tokens";
import { resetWrongCodeCounter } from "@/server/domains/access/two-factor/service/wrong-codes";
import { sendVerificationMail } from "@/server/domains/access/verification/service/verification-mail";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { sendUserPasswordMail, sendUserVerification, signOutUser, unlockUser } from "../contract";
import { inAdministratorTransaction, lockTarget } from "./target-account";

export async function signOutAccount(
  ctx: Context<UserActor>,
  { params: { id }, body: { reason } }: Input<typeof signOutUser>,
): Promise<Output<typeof signOutUser>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const endedSessionCount = await inAdministratorTransaction(ctx, [id], (tx) =>
    signOutTarget(tx, id, reason),
  );
  return {
    success: true,
    message: formatText(ctx.locale, "responses.account_signed_out"),
    ended: endedSessionCount,
  };
}

/** Returns the number of ended sessions. Throws `own_account`. */
export async function signOutTarget(tx: Context<UserActor>, id: number, reason: string): Promise<number> {
  await lockTarget(tx, id);
  if (id === tx.actor.id) throw createError("own_account");
  const endedSessionCount = await endSignIns(tx, id);
  await audit(tx, {
    action: "account.signed_out",
    object: { type: "User", id },
    details: { reason, ended: endedSessionCount },
  });
  await notifyOwner(tx, id, "account_signed_out", { path: "/sign-in" });
  return endedSessionCount;
}

export async function resendVerificationMail(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof sendUserVerification>,
): Promise<Output<typeof sendUserVerification>> {
  await inAdministratorTransaction(ctx, [id], async (tx) => {
    const target = await lockTarget(tx, id);
    if (target.emailVerifiedAt) throw createError("address_verified");
    await sendVerificationMail(tx, target);
    const details = body.reason ? { reason: body.reason } : undefined;
    await audit(tx, { action: "account.verification_sent", object: { type: "User", id }, details });
  });
  return { success: true, message: formatText(ctx.locale, "responses.verification_mailed") };
}

export async function sendPasswordMail(
  ctx: Context<UserActor>,
  { params: { id }, body: { reason } }: Input<typeof sendUserPasswordMail>,
): Promise<Output<typeof sendUserPasswordMail>> {
  await inAdministratorTransaction(ctx, [id], async (tx) => {
    const target = await lockTarget(tx, id);
    await mailPasswordResetLink(tx, target);
    const object = { type: "User", id } as const;
    await audit(tx, { action: "account.password_mail_sent", object, details: { reason } });
  });
  return { success: true, message: formatText(ctx.locale, "responses.password_mailed") };
}

/** Resets the sign-in limits. The counters are not transactional, so the audit entry is committed first. */
export async function unlockAccount(
  ctx: Context<UserActor>,
  { params: { id }, body: { reason } }: Input<typeof unlockUser>,
): Promise<Output<typeof unlockUser>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const { email } = await inAdministratorTransaction(ctx, [id], async (tx) => {
    const target = await lockTarget(tx, id);
    await audit(tx, { action: "account.unlocked", object: { type: "User", id }, details: { reason } });
    return target;
  });
  await resetPasswordAttempts(ctx, { id, emailKey: toEmailKey(email) });
  await resetWrongCodeCounter(id);
  return { success: true, message: formatText(ctx.locale, "responses.account_unlocked") };
}
