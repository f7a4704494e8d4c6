import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { isoMicros } from "@/server/core/time";
import { findCandidate } from "@/server/domains/access/sign-in/service/candidate";
import { applyGates } from "@/server/domains/access/sign-in/service/gates";
import { missingMandatory } from "@/server/domains/accounts/consents/service/record";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { publicUrl } from "@/server/infrastructure/storage/public";

import type { SignedInByProvider, signInWithApple, signInWithGoogle } from "../contract";
import { addIdentity, findOrOpenAccount, type IdentityAccount } from "./account";
import { storeCode } from "./grant";
import type { Newcomer } from "./newcomer";
import { storePendingIdentity } from "./pending-identity";
import { consumeIdToken, type Identity, verifyIdToken } from "./verify";

type Outcome = Output<typeof signInWithGoogle>;

export async function google(ctx: Context, { body }: Input<typeof signInWithGoogle>): Promise<Outcome> {
  return signIn(ctx, await verifyIdToken("google", body.id_token), { consents: body.consents });
}

export async function apple(ctx: Context, { body }: Input<typeof signInWithApple>): Promise<Outcome> {
  const { id_token, nonce, authorization_code: code, ...newcomer } = body;
  const identity = await verifyIdToken("apple", id_token, { nonce });
  return signIn(ctx, identity, newcomer, code);
}

/**
 * Uses the token up in the transaction that signs in: one of concurrent attempts succeeds, a failed one keeps
 * it.
 */
async function signIn(
  ctx: Context,
  identity: Identity,
  newcomer: Newcomer,
  code?: string | null,
): Promise<Outcome> {
  const passage = await withTransaction(ctx, async (tx) => {
    await consumeIdToken(tx, identity);
    const opened = await findOrOpenAccount(tx, identity, newcomer);
    const user = await findCandidate(tx, { id: opened.userId });
    const passed = await applyGates(tx, user!, { way: identity.provider });
    const identityId =
      opened.identityId ?? ("signedIn" in passed ? await connect(tx, identity, opened) : undefined);
    if (code && identityId) await storeCode(tx, identityId, code);
    if ("interim" in passed && !identityId)
      await storePendingIdentity(tx, passed.interim.token, identity, code);
    if (!("signedIn" in passed)) return passed;
    const { token, modules } = passed.signedIn;
    return { output: { success: true as const, ...(await accountFacts(tx, opened)), token, modules } };
  });
  if ("output" in passage) return passage.output;
  if ("refusal" in passage) throw passage.refusal;
  const { token, methods } = passage.interim;
  return { success: true, requires_2fa: true, interim_token: token, available_methods: methods };
}

async function connect(tx: Context, identity: Identity, { userId }: IdentityAccount): Promise<number> {
  await notifyOwner(tx, userId, "identity_connected");
  return addIdentity(tx, identity, userId);
}

async function accountFacts(
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
  const missing = await missingMandatory(tx, userId);
  return {
    user: {
      ...user,
      avatar_url: publicUrl(avatarUrl),
      provider: provider ?? "email",
      // The first gate requires a verified address.
      email_verified_at: isoMicros(emailVerifiedAt!),
    },
    ...(missing.length > 0 && { consents_required: missing }),
  };
}
