import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { toEmailKey } from "@/server/core/schema";
import { formatText } from "@/server/core/texts";
import { SECOND } from "@/server/core/time";
import { lockCandidate } from "@/server/domains/access/sign-in/service/candidate";
import { signInThroughGates } from "@/server/domains/access/sign-in/service/gates";
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
import { tryRecordPasskeyUse, type VerifiedPasskey, verifyAssertion } from "./assertion";
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
  const key = body.email ? toEmailKey(body.email) : null;
  const passkeys = key
    ? await ctx.db.passkey.findMany({
        where: { user: { emailKey: key } },
        orderBy: { createdAt: "asc" },
        select: { userId: true, credentialId: true },
      })
    : [];
  const decoyIds = key ? buildDecoyCredentialIds(key) : [];
  const credentialIds = passkeys.length > 0 ? passkeys.map(({ credentialId }) => credentialId) : decoyIds;
  const { ref, challenge } = await startCeremony(ctx, {
    purpose: body.purpose ?? "login",
    userId: key ? (passkeys[0]?.userId ?? NO_ACCOUNT_ID) : null,
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
    if (!user || !(await tryRecordPasskeyUse(tx, passkey))) return undefined;
    return signInThroughGates(tx, user, { method: "passkey" });
  });
  if (!gateResult) throw await auditCopiedPasskey(ctx, passkey);
  if ("refusal" in gateResult) throw gateResult.refusal;
  // Unreachable: a passkey counts as a second factor.
  if ("interim" in gateResult) throw createError("passkey_refused");
  return gateResult.signedIn;
}

export async function proveIdentityByPasskey(
  ctx: Context<UserActor>,
  { body }: Input<typeof proveByPasskey>,
): Promise<Output<typeof proveByPasskey>> {
  const ceremony = await consumeAssertionCeremony(ctx, "identity", body.challenge_ref);
  const passkey = await verifyAssertion(ctx, ceremony, body.credential);
  if (passkey.userId !== ctx.actor.id) throw createError("passkey_refused");
  const isProofRecorded = await withTransaction(ctx, async (tx) => {
    if (!(await tryRecordPasskeyUse(tx, passkey))) return false;
    await recordIdentityProof(tx, ctx.actor.token.id);
    await audit(tx, {
      action: "identity.proven",
      object: { type: "User", id: ctx.actor.id },
      details: { method: "passkey" },
    });
    return true;
  });
  if (!isProofRecorded) throw await auditCopiedPasskey(ctx, passkey);
  return {
    success: true,
    message: formatText(ctx.locale, "responses.identity_proven"),
    expires_in: PROOF_LIFETIME_MS / SECOND,
  };
}

/** Returns the error to throw. Audits a counter that did not grow, unless the passkey was just deleted. */
async function auditCopiedPasskey(ctx: Context, { id, userId, counter }: VerifiedPasskey) {
  const isStored = (await ctx.db.passkey.count({ where: { id } })) > 0;
  if (isStored)
    await audit(ctx, {
      action: "passkey.counter_regressed",
      object: { type: "User", id: userId },
      actorId: userId,
      details: { passkey: id, counter },
    });
  return createError("passkey_refused");
}
