import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toIsoMicros } from "@/server/core/time";
import { findCandidate } from "@/server/domains/access/sign-in/service/candidate";
import { signInThroughGates } from "@/server/domains/access/sign-in/service/gates";
import { findMissingConsentKeys } from "@/server/domains/accounts/consents/service/record";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { toPublicUrl } from "@/server/infrastructure/storage/served-files";

import type { SignedInByProvider, signInWithApple, signInWithGoogle } from "../contract";
import { storeAppleCode } from "./apple-grant";
import { addIdentity, findOrOpenAccount, type IdentityAccount } from "./find-or-open-account";
import { consumeIdToken, type Identity, verifyIdToken } from "./id-token";
import type { Newcomer } from "./newcomer";
import { storePendingIdentity } from "./pending-identity";

type SignInOutput = Output<typeof signInWithGoogle>;

export async function signInWithGoogleToken(
  ctx: Context,
  { body }: Input<typeof signInWithGoogle>,
): Promise<SignInOutput> {
  return signInWithIdentity(ctx, await verifyIdToken("google", body.id_token), { consents: body.consents });
}

export async function signInWithAppleToken(
  ctx: Context,
  { body }: Input<typeof signInWithApple>,
): Promise<SignInOutput> {
  const { id_token, nonce, authorization_code: authorizationCode, ...newcomer } = body;
  const identity = await verifyIdToken("apple", id_token, { nonce });
  return signInWithIdentity(ctx, identity, newcomer, authorizationCode);
}

/** Consumes the ID token in the same transaction: an unexpected error does not use it up, a refusal does. */
async function signInWithIdentity(
  ctx: Context,
  identity: Identity,
  newcomer: Newcomer,
  authorizationCode?: string | null,
): Promise<SignInOutput> {
  const signInResult = await withTransaction(ctx, async (tx) => {
    await consumeIdToken(tx, identity);
    const account = await findOrOpenAccount(tx, identity, newcomer);
    const user = await findCandidate(tx, { id: account.userId });
    const gateResult = await signInThroughGates(tx, user!, { method: identity.provider });
    const identityId =
      account.identityId ??
      ("signedIn" in gateResult ? await addIdentityWithNotice(tx, identity, account) : undefined);
    if (authorizationCode && identityId) await storeAppleCode(tx, identityId, authorizationCode);
    if ("interim" in gateResult && !identityId)
      await storePendingIdentity(tx, gateResult.interim.token, identity, authorizationCode);
    if (!("signedIn" in gateResult)) return gateResult;
    const { token, modules } = gateResult.signedIn;
    return { output: { success: true as const, ...(await readAccountFields(tx, account)), token, modules } };
  });
  if ("output" in signInResult) return signInResult.output;
  if ("refusal" in signInResult) throw signInResult.refusal;
  const { token, methods } = signInResult.interim;
  return { success: true, requires_2fa: true, interim_token: token, available_methods: methods };
}

async function addIdentityWithNotice(
  tx: Context,
  identity: Identity,
  { userId }: IdentityAccount,
): Promise<number> {
  await notifyOwner(tx, userId, "identity_connected");
  return addIdentity(tx, identity, userId);
}

async function readAccountFields(
  tx: DbAccess,
  { userId }: IdentityAccount,
): Promise<Pick<SignedInByProvider, "user" | "consents_required">> {
  const { avatarUrl, provider, emailVerifiedAt, ...user } = await tx.db.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      id: true,
      name: true,
      email: true,
      avatarUrl: true,
      role: true,
      provider: true,
      emailVerifiedAt: true,
    },
  });
  const missingConsents = await findMissingConsentKeys(tx, userId);
  return {
    user: {
      ...user,
      avatar_url: toPublicUrl(avatarUrl),
      provider: provider ?? "email",
      // The first gate requires a verified address.
      email_verified_at: toIsoMicros(emailVerifiedAt!),
    },
    ...(missingConsents.length > 0 && { consents_required: missingConsents }),
  };
}
