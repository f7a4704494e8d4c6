import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalid, refuse } from "@/server/core/errors";
import { sixDigits } from "@/server/core/schema";
import { text } from "@/server/core/texts";
import { SECOND } from "@/server/core/time";
import { recordProof } from "@/server/domains/access/tokens/service/tokens";
import { activeFactors } from "@/server/domains/access/two-factor/service/factors";
import { consumeRecoveryCode } from "@/server/domains/access/two-factor/service/recovery";
import { consumeSentCode, consumeTotp } from "@/server/domains/access/two-factor/service/verify";
import { countWrongCode } from "@/server/domains/access/two-factor/service/wrong-codes";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { PROOF_LIFE } from "@/server/domains/accounts/users/service/proof";
import { verifyPassword } from "@/server/infrastructure/secrets/password";
import type { confirmIdentity, startIdentityCheck } from "../contract";
import { findCandidate } from "./candidate";
import { consumeInterim, findInterim, openInterim } from "./interim";
import { sendInterimCode } from "./second-factor";

type Body = Input<typeof confirmIdentity>["body"];

export async function startCheck(
  ctx: Context<UserActor>,
  { body }: Input<typeof startIdentityCheck>,
): Promise<Output<typeof startIdentityCheck>> {
  // Lock the account and its token: a revoked token gets no code.
  const interim = await withOwnAccount(ctx, async (tx) => {
    const user = await findCandidate(tx, { id: ctx.actor.id });
    return user && openInterim(tx, user, "identity");
  });
  if (!interim) throw refuse("two_factor_off");
  const method = body.method ?? "email";
  const sent = interim.methods.includes(method)
    ? await sendInterimCode(ctx, { token: interim.token, method, purpose: "identity" })
    : undefined;
  return {
    success: true,
    interim_token: interim.token,
    methods: interim.methods,
    masked_destination: sent?.masked_destination ?? null,
  };
}

/** The proof allows sensitive changes by this token or session for ten minutes. */
export async function confirm(
  ctx: Context<UserActor>,
  { body }: Input<typeof confirmIdentity>,
): Promise<Output<typeof confirmIdentity>> {
  if (!(await proves(ctx, body))) {
    await audit(ctx, {
      action: "identity.refused",
      object: { type: "User", id: ctx.actor.id },
      details: { method: body.method },
    });
    throw refuse("proof_wrong");
  }
  await recordProof(ctx, ctx.actor.token.id);
  await audit(ctx, {
    action: "identity.proven",
    object: { type: "User", id: ctx.actor.id },
    details: { method: body.method },
  });
  return {
    success: true,
    message: text(ctx.locale, "responses.identity_proven"),
    expires_in: PROOF_LIFE / SECOND,
  };
}

async function proves(ctx: Context<UserActor>, body: Body): Promise<boolean> {
  const { method, value } = body;
  const userId = ctx.actor.id;
  if (method !== "password") {
    const code = method === "recovery" ? value : sixDigits.safeParse(value).data;
    if (code === undefined) throw invalid("value", "six_digits");
    return countWrongCode(ctx, { userId, at: "sign_in" }, () =>
      spendCode(ctx, { ...body, method, value: code }),
    );
  }
  if ((await activeFactors(ctx, userId)).length > 0) return false;
  const user = await findCandidate(ctx, { id: userId });
  return verifyPassword(user?.password_hash, value.normalize("NFC"));
}

async function spendCode(
  ctx: Context<UserActor>,
  { method, value, interim_token }: Body & { method: Exclude<Body["method"], "password"> },
): Promise<boolean> {
  const userId = ctx.actor.id;
  if (method === "recovery") return consumeRecoveryCode(ctx, userId, value);
  if (method === "totp") return consumeTotp(ctx, { userId, code: value });
  const interim = interim_token ? await findInterim(ctx, interim_token, "identity") : undefined;
  if (interim?.user_id !== userId) return false;
  const matches = await consumeSentCode(ctx, { interimId: interim.id, userId, kind: method, code: value });
  return matches && (await consumeInterim(ctx, interim.id)) !== undefined;
}
