import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { text } from "@/server/core/texts";
import { SECOND } from "@/server/core/time";
import { lockCandidate } from "@/server/domains/access/sign-in/service/candidate";
import { applyGates } from "@/server/domains/access/sign-in/service/gates";
import { recordProof } from "@/server/domains/access/tokens/service/tokens";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { PROOF_LIFE } from "@/server/domains/accounts/users/service/proof";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import {
  CEREMONY_SECONDS,
  type passkeyLoginOptions,
  type passkeyLoginVerify,
  type proveByPasskey,
} from "../contract";
import { recordPasskeyUse, type VerifiedPasskey, verifyAssertion } from "./assert";
import {
  consumeAssertionCeremony,
  decoyCredentialIds,
  NO_ACCOUNT,
  relyingParty,
  startCeremony,
} from "./ceremony";

/** Neither response nor timing reveals whether the address has passkeys. */
export async function options(
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
  const madeUpIds = key ? decoyCredentialIds(key) : [];
  const credentialIds = rows.length > 0 ? rows.map(({ credentialId }) => credentialId) : madeUpIds;
  const { ref, challenge } = await startCeremony(ctx, {
    purpose: body.purpose ?? "login",
    userId: key ? (rows[0]?.userId ?? NO_ACCOUNT) : null,
  });
  const request = {
    challenge,
    rpId: relyingParty().id,
    timeout: CEREMONY_SECONDS * SECOND,
    userVerification: "required" as const,
    allowCredentials: credentialIds.map((id) => ({ id, type: "public-key" as const })),
  };
  return {
    success: true,
    challenge_ref: ref,
    options: request,
    publicKey: request,
    expires_in: CEREMONY_SECONDS,
  };
}

export async function verify(
  ctx: Context,
  { body }: Input<typeof passkeyLoginVerify>,
): Promise<Output<typeof passkeyLoginVerify>> {
  const ceremony = await consumeAssertionCeremony(ctx, "login", body.challenge_ref);
  const passkey = await verifyAssertion(ctx, ceremony, body.credential);
  const passage = await withTransaction(ctx, async (tx) => {
    const user = await lockCandidate(tx, passkey.userId);
    if (!user || !(await recordPasskeyUse(tx, passkey))) return undefined;
    return applyGates(tx, user, { way: "passkey" });
  });
  if (!passage) throw await refuseCopy(ctx, passkey);
  if ("refusal" in passage) throw passage.refusal;
  if ("interim" in passage) throw refuse("passkey_refused");
  return passage.signedIn;
}

export async function prove(
  ctx: Context<UserActor>,
  { body }: Input<typeof proveByPasskey>,
): Promise<Output<typeof proveByPasskey>> {
  const ceremony = await consumeAssertionCeremony(ctx, "identity", body.challenge_ref);
  const passkey = await verifyAssertion(ctx, ceremony, body.credential);
  if (passkey.userId !== ctx.actor.id) throw refuse("passkey_refused");
  const isStored = await withTransaction(ctx, async (tx) => {
    if (!(await recordPasskeyUse(tx, passkey))) return false;
    await recordProof(tx, ctx.actor.token.id);
    await audit(tx, {
      action: "identity.proven",
      object: { type: "User", id: ctx.actor.id },
      details: { method: "passkey" },
    });
    return true;
  });
  if (!isStored) throw await refuseCopy(ctx, passkey);
  return {
    success: true,
    message: text(ctx.locale, "responses.identity_proven"),
    expires_in: PROOF_LIFE / SECOND,
  };
}

/** Audits a counter that did not grow. The account or its passkey may also have been deleted since the check. */
async function refuseCopy(ctx: Context, { id, userId, counter }: VerifiedPasskey) {
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
