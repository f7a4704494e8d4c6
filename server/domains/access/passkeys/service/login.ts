import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { text } from "@/server/core/texts";
import { SECOND } from "@/server/core/time";
import { lockCandidate } from "@/server/domains/access/sign-in/service/candidate";
import { applyGates } from "@/server/domains/access/sign-in/service/gates";
import { recordIdentityProof } from "@/server/domains/access/tokens/service/tokens";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { PROOF_LIFETIME_MS } from "@/server/domains/accounts/users/service/proof";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import {
  CEREMONY_SECONDS,
  type passkeyLoginOptions,
  type passkeyLoginVerify,
  type proveByPasskey,
} from "../contract";
import { recordPasskeyUse, type VerifiedPasskey, verifyAssertion } from "./assertion";
import {
  buildDecoyCredentialIds,
  consumeAssertionCeremony,
  getRelyingParty,
  NO_ACCOUNT_ID,
  startCeremony,
} from "./ceremony";

/** Neither response nor timing reveals whether the address has passkeys. */
export async function startPasskeyLogin(
  ctx: Context,
  { body }: Input<typeof passkeyLoginOptions>,
): Promise<Output<typeof passkeyLoginOptions>> {
  const key = body.email ? emailKey(body.email) : null;
  const rows = key
    ? await ctx.db.passkey.findMany({
        where: { user: { emailKey: key } },
        orderBy: { createdAt: "asc" },
        select: { userId: true, credentialId: true },
      })
    : [];
  const decoyIds = key ? buildDecoyCredentialIds(key) : [];
  const credentialIds = rows.length > 0 ? rows.map(({ credentialId }) => credentialId) : decoyIds;
  const { ref, challenge } = await startCeremony(ctx, {
    purpose: body.purpose ?? "login",
    userId: key ? (rows[0]?.userId ?? NO_ACCOUNT_ID) : null,
  });
  const requestOptions = {
    challenge,
    rpId: getRelyingParty().id,
    timeout: CEREMONY_SECONDS * SECOND,
    userVerification: "required" as const,
    allowCredentials: credentialIds.map((id) => ({ id, type: "public-key" as const })),
  };
  return {
    success: true,
    challenge_ref: ref,
    options: requestOptions,
    publicKey: requestOptions,
    expires_in: CEREMONY_SECONDS,
  };
}

export async function finishPasskeyLogin(
  ctx: Context,
  { body }: Input<typeof passkeyLoginVerify>,
): Promise<Output<typeof passkeyLoginVerify>> {
  const ceremony = await consumeAssertionCeremony(ctx, "login", body.challenge_ref);
  const passkey = await verifyAssertion(ctx, ceremony, body.credential);
  const gateResult = await withTransaction(ctx, async (tx) => {
    const user = await lockCandidate(tx, passkey.userId);
    if (!user || !(await recordPasskeyUse(tx, passkey))) return undefined;
    return applyGates(tx, user, { method: "passkey" });
  });
  if (!gateResult) throw await refuseCopiedPasskey(ctx, passkey);
  if ("refusal" in gateResult) throw gateResult.refusal;
  if ("interim" in gateResult) throw refuse("passkey_refused");
  return gateResult.signedIn;
}

export async function proveIdentityByPasskey(
  ctx: Context<UserActor>,
  { body }: Input<typeof proveByPasskey>,
): Promise<Output<typeof proveByPasskey>> {
  const ceremony = await consumeAssertionCeremony(ctx, "identity", body.challenge_ref);
  const passkey = await verifyAssertion(ctx, ceremony, body.credential);
  if (passkey.userId !== ctx.actor.id) throw refuse("passkey_refused");
  const isProofRecorded = await withTransaction(ctx, async (tx) => {
    if (!(await recordPasskeyUse(tx, passkey))) return false;
    await recordIdentityProof(tx, ctx.actor.token.id);
    await audit(tx, {
      action: "identity.proven",
      object: { type: "User", id: ctx.actor.id },
      details: { method: "passkey" },
    });
    return true;
  });
  if (!isProofRecorded) throw await refuseCopiedPasskey(ctx, passkey);
  return {
    success: true,
    message: text(ctx.locale, "responses.identity_proven"),
    expires_in: PROOF_LIFETIME_MS / SECOND,
  };
}

/** Audits a counter that did not grow. The account or its passkey may also have been deleted since the check. */
async function refuseCopiedPasskey(ctx: Context, { id, userId, counter }: VerifiedPasskey) {
  const isStored = (await ctx.db.passkey.count({ where: { id } })) > 0;
  if (isStored)
    await audit(ctx, {
      action: "passkey.counter_regressed",
      object: { type: "User", id: userId },
      actorId: userId,
      details: { passkey: id, counter },
    });
  return refuse("passkey_refused");
}
