import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, createError, invalidField, throttleError } from "@/server/core/errors";
import { toMailLocale } from "@/server/core/locale";
import { formatText } from "@/server/core/texts";
import { fromNow, HOUR, MINUTE, secondsUntil } from "@/server/core/time";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";
import {
  consumeSentCode,
  consumeTotp,
  digestSentCode,
} from "@/server/domains/access/two-factor/service/consume-code";
import {
  countRecoveryCodes,
  listActiveFactors,
  maskDestination,
} from "@/server/domains/access/two-factor/service/factors";
import { consumeRecoveryCode } from "@/server/domains/access/two-factor/service/recovery";
import {
  CODES_PER_MINUTE_COUNTER,
  limitSentCodes,
  SENT_CODE_LIFETIME_MS,
  sendCodeBySms,
} from "@/server/domains/access/two-factor/service/sms";
import { withWrongCodeLimit } from "@/server/domains/access/two-factor/service/wrong-codes";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { withStatementTransaction, withTransaction } from "@/server/infrastructure/database/transaction";
import { createSixDigitCode } from "@/server/infrastructure/secrets/tokens";
import type { challengeTwoFactor, recoverTwoFactor, sendTwoFactorCode } from "../contract";
import type { InterimPurpose } from "../statements";
import { findCandidate, lockCandidate } from "./candidate";
import { type Candidate, signInThroughGates } from "./gates";
import {
  consumeInterimToken,
  countInterimTokenAttempt,
  findInterimToken,
  type PendingInterimToken,
} from "./interim-token";
import { linkPendingIdentity } from "./link-pending-identity";
import { createTrustedDeviceToken } from "./trusted-device";

/** Wrong codes per pending sign-in, across all methods (docs/contract.md 8). */
const MAX_CODE_ATTEMPTS = 5;

export function sendSignInCode(
  ctx: Context,
  { body }: Input<typeof sendTwoFactorCode>,
): Promise<Output<typeof sendTwoFactorCode>> {
  return sendInterimCode(ctx, { token: body.interim_token, method: body.method, purpose: "sign_in" });
}

export async function sendInterimCode(
  ctx: Context,
  { token, method, purpose }: { token: string; method: FactorKind; purpose: InterimPurpose },
): Promise<Output<typeof sendTwoFactorCode>> {
  const interimToken = await findInterimToken(ctx, token, purpose);
  const user = interimToken && (await findCandidate(ctx, { id: interimToken.user_id }));
  if (!interimToken || !user) throw createError("interim_invalid");
  await requireActiveMethod(ctx, user.id, method);
  if (method !== "totp") {
    await limitSentCodes(user.id, method === "sms" ? user.phone : null);
    await deliverCode(ctx, interimToken.id, user, method);
  }
  return {
    success: true,
    message: formatText(ctx.locale, `responses.${SENT_MESSAGE_KEYS[method]}`),
    method,
    masked_destination: maskDestination(method, user),
    expires_in: SENT_CODE_LIFETIME_MS / 1000,
    resend_after: CODES_PER_MINUTE_COUNTER.per,
  };
}

const SENT_MESSAGE_KEYS = { totp: "code_in_app", email: "code_sent", sms: "code_texted" } as const;

async function requireActiveMethod(ctx: Context, userId: number, method: FactorKind): Promise<void> {
  const activeFactors = await listActiveFactors(ctx, userId);
  if (!activeFactors.some(({ kind }) => kind === method)) throw invalidField("method", "in");
}

async function deliverCode(
  ctx: Context,
  interimId: number,
  user: Candidate,
  kind: "email" | "sms",
): Promise<void> {
  const code = createSixDigitCode();
  const storedCode = { codeHash: digestSentCode(code, interimId), expiresAt: fromNow(SENT_CODE_LIFETIME_MS) };
  await withTransaction(ctx, async (tx) => {
    // Lock order: the account first, as all code that ends a pending sign-in does.
    await lockUser(tx, user.id);
    if ((await tx.db.interimToken.count({ where: { id: interimId } })) === 0)
      throw createError("interim_invalid");
    await tx.db.factorCode.upsert({
      where: { interimId_kind: { interimId, kind } },
      create: { interimId, kind, ...storedCode },
      update: storedCode,
      select: { interimId: true },
    });
    // With an SMS factor `phone` is set: removing the number also removes the factor and the interim token.
    if (kind === "sms" && user.phone)
      return sendCodeBySms(
        { ...tx, locale: toMailLocale(user, tx.locale) },
        { id: user.id, phone: user.phone },
        code,
      );
    await mailUser(tx, user, {
      template: "sign_in_code",
      params: { minutes: SENT_CODE_LIFETIME_MS / MINUTE },
      code,
    });
  });
}

export async function finishSignInWithCode(
  ctx: Context,
  { body }: Input<typeof challengeTwoFactor>,
): Promise<Output<typeof challengeTwoFactor>> {
  const { method, code } = body;
  // First, so that an inactive method costs no attempt. `countCodeAttempt` reports an invalid token.
  const storedToken = await findInterimToken(ctx, body.interim_token, "sign_in");
  if (storedToken && storedToken.attempts < MAX_CODE_ATTEMPTS)
    await requireActiveMethod(ctx, storedToken.user_id, method);
  const interimToken = await countCodeAttempt(ctx, body.interim_token);
  return finishSignIn(ctx, interimToken, {
    method: "second_factor",
    shouldRememberDevice: body.remember_device ?? false,
    consumeCode: (tx) =>
      method === "totp"
        ? consumeTotp(tx, { userId: interimToken.user_id, code })
        : consumeSentCode(tx, {
            interimId: interimToken.id,
            userId: interimToken.user_id,
            kind: method,
            code,
          }),
  });
}

export async function finishSignInWithRecoveryCode(
  ctx: Context,
  { body }: Input<typeof recoverTwoFactor>,
): Promise<Output<typeof recoverTwoFactor>> {
  const interimToken = await countCodeAttempt(ctx, body.interim_token);
  return finishSignIn(ctx, interimToken, {
    method: "recovery_code",
    shouldRememberDevice: body.remember_device ?? false,
    consumeCode: (tx) => consumeRecoveryCode(tx, interimToken.user_id, body.recovery_code),
  });
}

async function countCodeAttempt(ctx: Context, token: string): Promise<PendingInterimToken> {
  const interimToken = await countInterimTokenAttempt(ctx, token);
  if (!interimToken) throw createError("interim_invalid");
  const retryAt = new Date(interimToken.created_at.getTime() + HOUR);
  if (interimToken.attempts > MAX_CODE_ATTEMPTS)
    throw throttleError("factor_throttled", { retryAfter: secondsUntil(retryAt), limit: MAX_CODE_ATTEMPTS });
  return interimToken;
}

interface FinishOptions {
  method: "second_factor" | "recovery_code";
  shouldRememberDevice: boolean;
  consumeCode(tx: Omit<Context, "db">): Promise<boolean>;
}

/** Consumes code and token in one transaction and applies the gates: the account may have changed. */
async function finishSignIn(
  ctx: Context,
  interimToken: PendingInterimToken,
  { method, shouldRememberDevice, consumeCode }: FinishOptions,
) {
  const outcome = await withWrongCodeLimit(ctx, { userId: interimToken.user_id, purpose: "sign_in" }, () =>
    withStatementTransaction(ctx, async (tx) => {
      const user = await lockCandidate(tx, interimToken.user_id);
      if (!(await consumeCode(tx))) return undefined;
      const consumedToken = user && (await consumeInterimToken(tx, interimToken.id));
      if (!consumedToken) throw createError("interim_invalid");
      const gateResult = await signInThroughGates(tx, user, { method });
      if (!("signedIn" in gateResult)) return gateResult;
      if (consumedToken.identity) await linkPendingIdentity(tx, user, consumedToken.identity);
      if (method === "recovery_code") {
        await audit(tx, {
          action: "recovery_code.used",
          object: { type: "User", id: user.id },
          actorId: user.id,
        });
      }
      return {
        ...gateResult.signedIn,
        recovery_codes_remaining: await countRecoveryCodes(tx, user.id),
        device_token: shouldRememberDevice ? await createTrustedDeviceToken(tx, user.id) : null,
      };
    }),
  );
  if (!outcome) {
    await audit(ctx, {
      action: "sign_in.failed",
      object: { type: "User", id: interimToken.user_id },
      actorId: interimToken.user_id,
      details: { way: method },
    });
    throw new AppError("factor_code_wrong", {
      remaining_attempts: MAX_CODE_ATTEMPTS - interimToken.attempts,
    });
  }
  if ("refusal" in outcome) throw outcome.refusal;
  // Unreachable: both methods count as a second factor.
  if ("interim" in outcome) throw createError("interim_invalid");
  return outcome;
}
