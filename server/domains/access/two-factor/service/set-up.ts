import { Secret } from "otpauth";
import { renderSVG } from "uqr";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createNotFoundError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { deleteInterimTokens, deleteTrustedDevices } from "@/server/domains/access/tokens/service/tokens";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { getAccountBrand } from "@/server/infrastructure/brand/brand";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { confirmTotp, enableEmailFactor, FactorKind, removeFactor, startTotp } from "../contract";
import { upsertUnconfirmedFactor } from "../statements";
import { consumeTotp, createTotp, TOTP_SEAL_PURPOSE } from "./consume-code";
import { countRecoveryCodes, listActiveFactors } from "./factors";
import { renewRecoveryCodeSet } from "./recovery";
import { withWrongCodeLimit } from "./wrong-codes";

export async function startTotpFactor(ctx: Context<UserActor>): Promise<Output<typeof startTotp>> {
  await requireProof(ctx);
  const { base32 } = new Secret({ size: 20 });
  const userId = ctx.actor.id;
  const secret = seal(base32, TOTP_SEAL_PURPOSE);
  const rows = await withLockedOwnAccount(ctx, (tx) =>
    upsertUnconfirmedFactor(tx, { userId, kind: "totp", secret }),
  );
  if (rows.length === 0) throw createError("two_factor_on");
  const user = await ctx.db.user.findUnique({ where: { id: userId }, select: { email: true } });
  const { name: issuer } = await getAccountBrand(ctx, userId);
  const otpauthUrl = createTotp(base32, user!.email, issuer).toString();
  return {
    success: true,
    secret: base32,
    otpauth_url: otpauthUrl,
    qr_svg: renderSVG(otpauthUrl, { border: 2 }),
  };
}

export async function confirmTotpFactor(
  ctx: Context<UserActor>,
  { body }: Input<typeof confirmTotp>,
): Promise<Output<typeof confirmTotp>> {
  await requireProof(ctx);
  const { id: userId } = ctx.actor;
  const result = await withWrongCodeLimit(ctx, { userId, purpose: "set_up" }, () =>
    withLockedOwnAccount(ctx, async (tx) => {
      const isCodeRight = await consumeTotp(tx, { userId, code: body.code, isActivation: true });
      return isCodeRight ? finishFactorActivation(tx, "totp") : undefined;
    }),
  );
  if (!result) throw createError("code_wrong");
  return result;
}

export async function enableEmailCodes(ctx: Context<UserActor>): Promise<Output<typeof enableEmailFactor>> {
  await requireProof(ctx);
  if (!ctx.actor.emailVerified) throw createError("email_needs_verification");
  return withLockedOwnAccount(ctx, async (tx) => {
    await tx.db.factor.createMany({
      data: { userId: ctx.actor.id, kind: "email", confirmedAt: new Date() },
      skipDuplicates: true,
    });
    return finishFactorActivation(tx, "email");
  });
}

/** Creates recovery codes if none are left, audits, and notifies the owner. */
export async function finishFactorActivation(tx: Context<UserActor>, method: FactorKind) {
  const userId = tx.actor.id;
  const codes = (await countRecoveryCodes(tx, userId)) > 0 ? null : await renewRecoveryCodeSet(tx, userId);
  await audit(tx, {
    action: "two_factor.enabled",
    object: { type: "User", id: userId },
    details: { method },
  });
  await notifyOwner(tx, userId, "two_factor_enabled");
  return {
    success: true as const,
    message: formatText(tx.locale, "responses.two_factor_on"),
    recovery_codes: codes,
  };
}

export async function removeOwnFactor(
  ctx: Context<UserActor>,
  { params }: Input<typeof removeFactor>,
): Promise<Output<typeof removeFactor>> {
  await requireProof(ctx);
  const userId = ctx.actor.id;
  return withLockedOwnAccount(ctx, async (tx) => {
    if (!(await deleteFactor(tx, userId, params.method)))
      throw createNotFoundError("TwoFactorMethod", params.method);
    return { success: true as const, message: formatText(ctx.locale, "responses.two_factor_removed") };
  });
}

/** The caller must check the proof of identity. False when there was no factor. */
export async function deleteFactor(tx: Context, userId: number, method: FactorKind): Promise<boolean> {
  const { count } = await tx.db.factor.deleteMany({ where: { userId, kind: method } });
  if (count === 0) return false;
  await deleteInterimTokens(tx, userId);
  if ((await listActiveFactors(tx, userId)).length === 0) {
    await tx.db.recoveryCode.deleteMany({ where: { userId } });
    await deleteTrustedDevices(tx, userId);
  }
  await audit(tx, {
    action: "two_factor.removed",
    object: { type: "User", id: userId },
    details: { method },
  });
  await notifyOwner(tx, userId, "two_factor_removed");
  return true;
}
