import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, invalidField } from "@/server/core/errors";
import { sixDigits } from "@/server/core/schema";
import { formatText } from "@/server/core/texts";
import { SECOND } from "@/server/core/time";
import { recordIdentityProof } from "@/server/domains/access/tokens/service/tokens";
import { consumeSentCode, consumeTotp } from "@/server/domains/access/two-factor/service/consume-code";
import { listActiveFactors } from "@/server/domains/access/two-factor/service/factors";
import { consumeRecoveryCode } from "@/server/domains/access/two-factor/service/recovery";
import { withWrongCodeLimit } from "@/server/domains/access/two-factor/service/wrong-codes";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { PROOF_LIFETIME_MS } from "@/server/domains/accounts/users/service/proof";
import { verifyPassword } from "@/server/infrastructure/secrets/password";
import type { confirmIdentity, startIdentityCheck } from "../contract";
import { findCandidate } from "./candidate";
import { consumeInterimToken, createInterimToken, findInterimToken } from "./interim-token";
import { sendInterimCode } from "./second-factor";

type Body = Input<typeof confirmIdentity>["body"];

export async function startIdentityProof(
  ctx: Context<UserActor>,
  { body }: Input<typeof startIdentityCheck>,
): Promise<Output<typeof startIdentityCheck>> {
  // Locks the account and the caller's API token: a caller whose token was just revoked gets no code.
  const challenge = await withLockedOwnAccount(ctx, async (tx) => {
    const user = await findCandidate(tx, { id: ctx.actor.id });
    return user && createInterimToken(tx, user, "identity");
  });
  if (!challenge) throw createError("two_factor_off");
  const method = body.method ?? "email";
  const sentCode = challenge.methods.includes(method)
    ? await sendInterimCode(ctx, { token: challenge.token, method, purpose: "identity" })
    : undefined;
  return {
    success: true,
    interim_token: challenge.token,
    methods: challenge.methods,
    masked_destination: sentCode?.masked_destination ?? null,
  };
}

export async function confirmIdentityProof(
  ctx: Context<UserActor>,
  { body }: Input<typeof confirmIdentity>,
): Promise<Output<typeof confirmIdentity>> {
  if (!(await isIdentityProven(ctx, body))) {
    await audit(ctx, {
      action: "identity.refused",
      object: { type: "User", id: ctx.actor.id },
      details: { method: body.method },
    });
    throw createError("proof_wrong");
  }
  await recordIdentityProof(ctx, ctx.actor.token.id);
  await audit(ctx, {
    action: "identity.proven",
    object: { type: "User", id: ctx.actor.id },
    details: { method: body.method },
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.identity_proven"),
    expires_in: PROOF_LIFETIME_MS / SECOND,
  };
}

async function isIdentityProven(ctx: Context<UserActor>, body: Body): Promise<boolean> {
  const { method, value } = body;
  const userId = ctx.actor.id;
  if (method !== "password") {
    const code = method === "recovery" ? value : sixDigits.safeParse(value).data;
    if (code === undefined) throw invalidField("value", "six_digits");
    return withWrongCodeLimit(ctx, { userId, purpose: "sign_in" }, () =>
      consumeProofCode(ctx, { ...body, method, value: code }),
    );
  }
  // With a second factor, the password alone is no proof.
  if ((await listActiveFactors(ctx, userId)).length > 0) return false;
  const user = await findCandidate(ctx, { id: userId });
  return verifyPassword(user?.password_hash, value.normalize("NFC"));
}

async function consumeProofCode(
  ctx: Context<UserActor>,
  { method, value, interim_token }: Body & { method: Exclude<Body["method"], "password"> },
): Promise<boolean> {
  const userId = ctx.actor.id;
  if (method === "recovery") return consumeRecoveryCode(ctx, userId, value);
  if (method === "totp") return consumeTotp(ctx, { userId, code: value });
  const interimToken = interim_token ? await findInterimToken(ctx, interim_token, "identity") : undefined;
  if (interimToken?.user_id !== userId) return false;
  const isCodeRight = await consumeSentCode(ctx, {
    interimId: interimToken.id,
    userId,
    kind: method,
    code: value,
  });
  return isCodeRight && (await consumeInterimToken(ctx, interimToken.id)) !== undefined;
}
