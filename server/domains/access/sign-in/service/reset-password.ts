import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { type AppError, createError } from "@/server/core/errors";
import { MAIL_LOCALE_SELECT, toMailLocale } from "@/server/core/locale";
import { toEmailKey } from "@/server/core/schema";
import { formatText } from "@/server/core/texts";
import { revokeAllAccess } from "@/server/domains/access/tokens/service/tokens";
import { getSuspectAdditionStart } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { lockUserIfExists } from "@/server/domains/accounts/users/service/lock";
import { mailUser, notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { hashPassword } from "@/server/infrastructure/secrets/password";
import { hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import type { resetPassword } from "../contract";
import { findCandidate } from "./candidate";
import { endRecentAdditions } from "./end-additions";
import { signInThroughGates } from "./gates";
import type { InterimChallenge } from "./interim-token";
import { checkNewPassword } from "./passwords";
import { buildRemovedMethodParams, getSuspectStartBefore, removeAccessAddedSince } from "./removed-methods";

type Body = Input<typeof resetPassword>["body"];
type ResetOutput = Output<typeof resetPassword>;

/** Ends all tokens and recent additions, then tries to sign in. A closed gate does not undo the change. */
export async function resetPasswordByLink(
  ctx: Context,
  { body }: Input<typeof resetPassword>,
): Promise<ResetOutput> {
  if (!(await isValidResetLink(ctx, body))) throw createError("reset_invalid");
  await checkNewPassword(body.password, { email: body.email });
  const passwordHash = await hashPassword(body.password);
  return withTransaction(ctx, async (tx) => {
    const userId = await consumeResetLink(tx, body);
    // The link is void once the account's address has changed.
    const account = { id: userId, emailKey: toEmailKey(body.email) };
    if (!(await updateUser(tx, account, { passwordHash }))) throw createError("reset_invalid");
    const { emailVerifiedAt } = await tx.db.user.findUniqueOrThrow({
      where: { id: userId },
      select: { emailVerifiedAt: true },
    });
    // While the address is unverified, all additions may be an intruder's.
    const { isMailed } = await endRecentAdditions(tx, userId, {
      since: emailVerifiedAt ? getSuspectAdditionStart() : new Date(0),
      cause: "reset",
    });
    await removeSuspectMethods(tx, userId);
    await revokeAllAccess(tx, userId);
    await audit(tx, { action: "password.reset", object: { type: "User", id: userId }, actorId: userId });
    if (!isMailed) await notifyOwner(tx, userId, "password_changed");
    return attemptSignIn(tx, userId);
  });
}

/** For an unverified account: all. With a pending change of address: those added in the last three days. */
async function removeSuspectMethods(tx: Context, userId: number): Promise<void> {
  const user = await tx.db.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      id: true,
      name: true,
      email: true,
      ...MAIL_LOCALE_SELECT,
      emailVerifiedAt: true,
      pendingEmail: true,
    },
  });
  if (!user.emailVerifiedAt) return void (await removeAccessAddedSince(tx, userId, { since: new Date(0) }));
  if (!user.pendingEmail) return;
  const removedMethods = await removeAccessAddedSince(tx, userId, {
    since: getSuspectStartBefore(new Date()),
  });
  await mailUser(tx, user, {
    template: "email_change_stopped",
    params: {
      email: user.pendingEmail,
      ...buildRemovedMethodParams(removedMethods, toMailLocale(user, tx.locale)),
    },
    path: "/settings/security",
  });
}

const whereValidResetLink = ({ token, email }: Body) => ({
  tokenHash: hashSecret(token),
  emailKey: toEmailKey(email),
  expiresAt: { gt: new Date() },
});

async function isValidResetLink({ db }: Context, body: Body): Promise<boolean> {
  if (!isWellFormedToken(body.token, "dsr")) return false;
  return (
    (await db.passwordReset.findFirst({ where: whereValidResetLink(body), select: { userId: true } })) !==
    null
  );
}

/** The deletion lets one of several concurrent requests succeed. Lock order: account, then link. */
async function consumeResetLink(tx: Context, body: Body): Promise<number> {
  const link = await tx.db.passwordReset.findFirst({
    where: whereValidResetLink(body),
    select: { userId: true },
  });
  if (!link || !(await lockUserIfExists(tx, link.userId))) throw createError("reset_invalid");
  const { count } = await tx.db.passwordReset.deleteMany({ where: whereValidResetLink(body) });
  if (count === 0) throw createError("reset_invalid");
  return link.userId;
}

async function attemptSignIn(tx: Context, userId: number): Promise<ResetOutput> {
  const passwordChangedFields = {
    success: true as const,
    message: formatText(tx.locale, "responses.password_changed"),
  };
  const user = await findCandidate(tx, { id: userId });
  const gateResult = await signInThroughGates(tx, user!, { method: "reset" });
  if ("signedIn" in gateResult) {
    const { token, modules } = gateResult.signedIn;
    const { id, name, email, role } = gateResult.signedIn.user;
    return { ...passwordChangedFields, auto_login: true, user: { id, name, email, role }, token, modules };
  }
  if ("interim" in gateResult)
    return { ...passwordChangedFields, auto_login: false, ...toSecondFactorFields(gateResult.interim) };
  return { ...passwordChangedFields, auto_login: false, ...toRefusalFields(gateResult.refusal) };
}

function toSecondFactorFields({ token, methods, maskedEmail, hasRecoveryCodes }: InterimChallenge) {
  return {
    requires_2fa: true as const,
    method: methods[0]!,
    interim_token: token,
    has_totp: methods.includes("totp"),
    has_email_fallback: methods.includes("email"),
    masked_email: maskedEmail,
    has_recovery_codes: hasRecoveryCodes,
  };
}

function toRefusalFields(error: AppError) {
  if (error.code === "email_unverified") return error.fields as AppError<"email_unverified">["fields"];
  if (error.code === "account_disabled" || error.code === "employer_disabled")
    return error.fields as AppError<"account_disabled">["fields"];
  if (error.code === "portal_locked") return error.fields as AppError<"portal_locked">["fields"];
  throw error;
}
