import type { Context } from "@/server/core/context";
import { createError } from "@/server/core/errors";
import { toEmailKey } from "@/server/core/schema";
import { requireSignUpAllowed } from "@/server/domains/access/registration/service/sign-up-mode";
import { cancelCompetingEmailChanges } from "@/server/domains/access/verification/service/confirm-change";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { WELCOME_CREDITS } from "@/server/domains/accounts/credits/service/credits";
import { findPortalResellerId } from "@/server/domains/accounts/portals/service/access";
import { openAccount } from "@/server/domains/accounts/profile/service/open";
import { markEmailVerified } from "@/server/domains/accounts/users/service/change";
import { acquireNamedLock, lockEmailAddress, lockUser } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { isUniqueViolation } from "@/server/infrastructure/database/error-kinds";
import { lockAccountByEmailKey } from "../statements";
import type { Identity } from "./id-token";
import { getNewcomerName, type Newcomer } from "./newcomer";
import { takeOverAccount } from "./take-over";

/** `identityId` is undefined until a successful sign-in links the identity. */
export interface IdentityAccount {
  userId: number;
  identityId: number | undefined;
}

/** Does not link a verified account: an identity that fails the gates must not change it. */
export async function findOrOpenAccount(
  tx: Context,
  identity: Identity,
  newcomer: Newcomer,
): Promise<IdentityAccount> {
  await lockIdentity(tx, identity);
  const existingLink = await findLinkedAccount(tx, identity);
  if (existingLink) return existingLink;
  const key = toEmailKey(identity.email);
  // A registration between lookup and insert makes the insert fail; the second attempt finds that account.
  for (let attempt = 0; attempt < 2; attempt++) {
    const account = await findExistingAccount(tx, identity, { key, newcomer });
    if (account?.verified) return { userId: account.id, identityId: undefined };
    const userId = account?.id ?? (await openNewAccount(tx, identity, newcomer));
    if (!userId) continue;
    await cancelCompetingEmailChanges(tx, { userId, emailKey: key });
    return { userId, identityId: await addIdentity(tx, identity, userId) };
  }
  throw createError("identity_email_taken");
}

/** Lock order: identity, then address. Concurrent first sign-ins open one account. */
async function lockIdentity(tx: Context, { provider, issuer, subject, email }: Identity): Promise<void> {
  await acquireNamedLock(tx, `identity:${provider}:${issuer}:${subject}`);
  await lockEmailAddress(tx, toEmailKey(email));
}

async function findLinkedAccount(tx: Context, identity: Identity): Promise<IdentityAccount | undefined> {
  const { db } = tx;
  const { provider, issuer, subject, email } = identity;
  const where = { provider, issuer, subject };
  const linkedIdentity = await db.externalIdentity.findFirst({ where, select: { userId: true } });
  if (!linkedIdentity) return undefined;
  // Lock order: the account first, as in code that removes an identity.
  await lockUser(tx, linkedIdentity.userId);
  const [row] = await db.externalIdentity.updateManyAndReturn({
    where: { ...where, userId: linkedIdentity.userId },
    data: { lastUsedAt: new Date(), email },
    select: { id: true, userId: true },
  });
  if (!row) return undefined;
  await markEmailVerified({ db }, { userId: row.userId, emailKey: toEmailKey(email) });
  return { userId: row.userId, identityId: row.id };
}

/** Refuses an account with another identity: the address may have a new owner at the provider. */
async function findExistingAccount(
  tx: Context,
  identity: Identity,
  { key, newcomer }: { key: string; newcomer: Newcomer },
): Promise<{ id: number; verified: boolean } | undefined> {
  const [account] = await lockAccountByEmailKey(tx, { emailKey: key });
  if (!account) return undefined;
  if (account.hasIdentity || (!account.verified && account.hasHistory))
    throw createError("identity_email_taken");
  if (!account.verified) {
    await takeOverAccount(tx, account.id, { identity, newcomer });
    await notifyOwner(tx, account.id, "account_claimed");
  }
  return account;
}

/** Returns undefined when another request opened an account with the address first. */
async function openNewAccount(
  tx: Context,
  identity: Identity,
  newcomer: Newcomer,
): Promise<number | undefined> {
  const { provider, email, avatarUrl } = identity;
  const resellerId = await findPortalResellerId(tx);
  await requireSignUpAllowed(tx, resellerId);
  const name = getNewcomerName(identity, newcomer);
  return openAccount(
    tx,
    { name, email, emailVerifiedAt: new Date(), provider, avatarUrl, resellerId },
    {
      consents: newcomer.consents ?? {},
      source: "provider",
      credits: WELCOME_CREDITS,
      auditEntry: { action: "account.registered", details: { provider } },
    },
  );
}

export async function addIdentity(tx: Context, identity: Identity, userId: number): Promise<number> {
  const { provider, issuer, subject, email } = identity;
  const row = await tx.db.externalIdentity
    .create({
      data: { userId, provider, issuer, subject, email, lastUsedAt: new Date() },
      select: { id: true },
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error, "subject") ? createError("identity_in_use") : error;
    });
  await audit(tx, {
    action: "identity.connected",
    object: { type: "User", id: userId },
    actorId: userId,
    details: { provider },
  });
  return row.id;
}
