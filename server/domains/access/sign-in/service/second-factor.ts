import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, invalid, refuse, throttled } from "@/server/core/errors";
import { localeOf } from "@/server/core/locale";
import { text } from "@/server/core/texts";
import { fromNow, HOUR, MINUTE, secondsUntil } from "@/server/core/time";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";
import {
  activeFactors,
  countRecoveryCodes,
  destination,
} from "@/server/domains/access/two-factor/service/factors";
import { consumeRecoveryCode } from "@/server/domains/access/two-factor/service/recovery";
import {
  CODE_LIFE,
  countSending,
  SEND_PER_MINUTE,
  textCode,
} from "@/server/domains/access/two-factor/service/sms";
import {
  consumeSentCode,
  consumeTotp,
  sentCodeDigest,
} from "@/server/domains/access/two-factor/service/verify";
import { countWrongCode } from "@/server/domains/access/two-factor/service/wrong-codes";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockUser } from "@/server/domains/accounts/users/service/lock";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { statementTransaction, withTransaction } from "@/server/infrastructure/database/transaction";
import { newCode } from "@/server/infrastructure/secrets/tokens";
import type { challengeTwoFactor, recoverTwoFactor, sendTwoFactorCode } from "../contract";
import type { InterimPurpose } from "../statements";
import { findCandidate, lockCandidate } from "./candidate";
import { trustDevice } from "./device";
import { applyGates, type Candidate } from "./gates";
import { consumeInterim, countInterimAttempt, findInterim, type PendingInterim } from "./interim";
import { linkPendingIdentity } from "./link-pending-identity";

/** Wrong codes per pending sign-in, over all methods (docs/contract.md 8). */
const TRIES = 5;

export function sendCode(
  ctx: Context,
  { body }: Input<typeof sendTwoFactorCode>,
): Promise<Output<typeof sendTwoFactorCode>> {
  return sendInterimCode(ctx, { token: body.interim_token, method: body.method, purpose: "sign_in" });
}

export async function sendInterimCode(
  ctx: Context,
  { token, method, purpose }: { token: string; method: FactorKind; purpose: InterimPurpose },
): Promise<Output<typeof sendTwoFactorCode>> {
  const interim = await findInterim(ctx, token, purpose);
  const user = interim && (await findCandidate(ctx, { id: interim.user_id }));
  if (!interim || !user) throw refuse("interim_invalid");
  await requireMethod(ctx, user.id, method);
  if (method !== "totp") {
    await countSending(user.id, method === "sms" ? user.phone : null);
    await deliverCode(ctx, interim.id, user, method);
  }
  return {
    success: true,
    message: text(ctx.locale, `responses.${SENT[method]}`),
    method,
    masked_destination: destination(method, user),
    expires_in: CODE_LIFE / 1000,
    resend_after: SEND_PER_MINUTE.per,
  };
}

const SENT = { totp: "code_in_app", email: "code_sent", sms: "code_texted" } as const;

async function requireMethod(ctx: Context, userId: number, method: FactorKind): Promise<void> {
  const active = await activeFactors(ctx, userId);
  if (!active.some(({ kind }) => kind === method)) throw invalid("method", "in");
}

async function deliverCode(
  ctx: Context,
  interimId: number,
  user: Candidate,
  kind: "email" | "sms",
): Promise<void> {
  const code = newCode();
  const sent = { codeHash: sentCodeDigest(code, interimId), expiresAt: fromNow(CODE_LIFE) };
  await withTransaction(ctx, async (tx) => {
    // Everything that ends a pending sign-in locks the account first.
    await lockUser(tx, user.id);
    if ((await tx.db.interimToken.count({ where: { id: interimId } })) === 0) throw refuse("interim_invalid");
    await tx.db.factorCode.upsert({
      where: { interimId_kind: { interimId, kind } },
      create: { interimId, kind, ...sent },
      update: sent,
      select: { interimId: true },
    });
    if (kind === "sms" && user.phone)
      return textCode({ ...tx, locale: localeOf(user, tx.locale) }, { id: user.id, phone: user.phone }, code);
    await mailUser(tx, user, { template: "sign_in_code", params: { minutes: CODE_LIFE / MINUTE }, code });
  });
}

export async function challenge(
  ctx: Context,
  { body }: Input<typeof challengeTwoFactor>,
): Promise<Output<typeof challengeTwoFactor>> {
  const { method, code } = body;
  // An inactive method costs no attempt. The errors of an invalid or used-up token come first.
  const pending = await findInterim(ctx, body.interim_token, "sign_in");
  if (pending && pending.attempts < TRIES) await requireMethod(ctx, pending.user_id, method);
  const interim = await countAttempt(ctx, body.interim_token);
  return finish(ctx, interim, {
    way: "second_factor",
    remember: body.remember_device ?? false,
    spend: (tx) =>
      method === "totp"
        ? consumeTotp(tx, { userId: interim.user_id, code })
        : consumeSentCode(tx, { interimId: interim.id, userId: interim.user_id, kind: method, code }),
  });
}

export async function recover(
  ctx: Context,
  { body }: Input<typeof recoverTwoFactor>,
): Promise<Output<typeof recoverTwoFactor>> {
  const interim = await countAttempt(ctx, body.interim_token);
  return finish(ctx, interim, {
    way: "recovery_code",
    remember: body.remember_device ?? false,
    spend: (tx) => consumeRecoveryCode(tx, interim.user_id, body.recovery_code),
  });
}

async function countAttempt(ctx: Context, token: string): Promise<PendingInterim> {
  const interim = await countInterimAttempt(ctx, token);
  if (!interim) throw refuse("interim_invalid");
  const opensAt = new Date(interim.created_at.getTime() + HOUR);
  if (interim.attempts > TRIES)
    throw throttled("factor_throttled", { retryAfter: secondsUntil(opensAt), limit: TRIES });
  return interim;
}

interface Finish {
  way: "second_factor" | "recovery_code";
  remember: boolean;
  spend(tx: Omit<Context, "db">): Promise<boolean>;
}

/** Uses up code and token together and applies the gates again: the account may have changed. */
async function finish(ctx: Context, interim: PendingInterim, { way, remember, spend }: Finish) {
  const outcome = await countWrongCode(ctx, { userId: interim.user_id, at: "sign_in" }, () =>
    statementTransaction(ctx, async (tx) => {
      const user = await lockCandidate(tx, interim.user_id);
      if (!(await spend(tx))) return undefined;
      const consumed = user && (await consumeInterim(tx, interim.id));
      if (!consumed) throw refuse("interim_invalid");
      const passage = await applyGates(tx, user, { way });
      if (!("signedIn" in passage)) return passage;
      if (consumed.identity) await linkPendingIdentity(tx, user, consumed.identity);
      if (way === "recovery_code") {
        await audit(tx, {
          action: "recovery_code.used",
          object: { type: "User", id: user.id },
          actorId: user.id,
        });
      }
      return {
        ...passage.signedIn,
        recovery_codes_remaining: await countRecoveryCodes(tx, user.id),
        device_token: remember ? await trustDevice(tx, user.id) : null,
      };
    }),
  );
  if (!outcome) {
    await audit(ctx, {
      action: "sign_in.failed",
      object: { type: "User", id: interim.user_id },
      actorId: interim.user_id,
      details: { way },
    });
    throw new AppError("factor_code_wrong", { remaining_attempts: TRIES - interim.attempts });
  }
  if ("refusal" in outcome) throw outcome.refusal;
  if ("interim" in outcome) throw refuse("interim_invalid");
  return outcome;
}
