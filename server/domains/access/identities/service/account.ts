import type { Context } from "@/server/core/context";
import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { requireSignUp } from "@/server/domains/access/registration/service/sign-up-mode";
import { endCompetingChanges } from "@/server/domains/access/verification/service/confirm-change";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { WELCOME_CREDITS } from "@/server/domains/accounts/credits/service/credits";
import { findPortalReseller } from "@/server/domains/accounts/portals/service/access";
import { openAccount } from "@/server/domains/accounts/profile/service/open";
import { confirmAddress } from "@/server/domains/accounts/users/service/change";
import { lockAddress, lockName, lockUser } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { isUniqueViolation } from "@/server/infrastructure/database/failure";
import { lockAccount } from "../statements";
import { type Newcomer, nameOf } from "./newcomer";
import { takeOver } from "./take-over";
import type { Identity } from "./verify";

/** `identityId` is undefined until the sign-in succeeds and links them. */
export interface IdentityAccount {
  userId: number;
  identityId: number | undefined;
}

/**
 * Finds or opens the account of an identity. A verified account is not linked yet: an identity that fails the
 * gates must not change it. Throws `identity_email_taken`.
 */
export async function findOrOpenAccount(
  tx: Context,
  identity: Identity,
  newcomer: Newcomer,
): Promise<IdentityAccount> {
  await lockIdentity(tx, identity);
  const linked = await linkedAccount(tx, identity);
  if (linked) return linked;
  const key = emailKey(identity.email);
  // A registration between lookup and insert makes the insert fail; the second round finds it.
  for (let round = 0; round < 2; round++) {
    const account = await existingAccount(tx, identity, { key, newcomer });
    if (account?.verified) return { userId: account.id, identityId: undefined };
    const userId = account?.id ?? (await newAccount(tx, identity, newcomer));
    if (!userId) continue;
    await endCompetingChanges(tx, { userId, emailKey: key });
    return { userId, identityId: await addIdentity(tx, identity, userId) };
  }
  throw refuse("identity_email_taken");
}

/** Lock order: identity, then address. Concurrent first sign-ins open one account. */
async function lockIdentity(tx: Context, { provider, issuer, subject, email }: Identity): Promise<void> {
  await lockName(tx, `identity:${provider}:${issuer}:${subject}`);
  await lockAddress(tx, emailKey(email));
}

async function linkedAccount(tx: Context, identity: Identity): Promise<IdentityAccount | undefined> {
  const { db } = tx;
  const { provider, issuer, subject, email } = identity;
  const where = { provider, issuer, subject };
  const linked = await db.externalIdentity.findFirst({ where, select: { userId: true } });
  if (!linked) return undefined;
  // Lock the account first, as code that removes an identity does.
  await lockUser(tx, linked.userId);
  const [row] = await db.externalIdentity.updateManyAndReturn({
    where: { ...where, userId: linked.userId },
    data: { lastUsedAt: new Date(), email },
    select: { id: true, userId: true },
  });
  if (!row) return undefined;
  await confirmAddress({ db }, { userId: row.userId, emailKey: emailKey(email) });
  return { userId: row.userId, identityId: row.id };
}

/**
 * An account with another identity is refused, since the address may have a new owner at the provider. An
 * unverified one is taken over, unless it has a history.
 */
async function existingAccount(
  tx: Context,
  identity: Identity,
  { key, newcomer }: { key: string; newcomer: Newcomer },
): Promise<{ id: number; verified: boolean } | undefined> {
  const [account] = await lockAccount(tx, { key });
  if (!account) return undefined;
  if (account.hasIdentity || (!account.verified && account.hasHistory)) throw refuse("identity_email_taken");
  if (!account.verified) {
    await takeOver(tx, account.id, { identity, newcomer });
    await notifyOwner(tx, account.id, "account_claimed");
  }
  return account;
}

/** Undefined when an account was opened with this address in between. */
async function newAccount(tx: Context, identity: Identity, newcomer: Newcomer): Promise<number | undefined> {
  const { provider, email, avatarUrl } = identity;
  const resellerId = await findPortalReseller(tx);
  await requireSignUp(tx, resellerId);
  const name = nameOf(identity, newcomer);
  return openAccount(
    tx,
    { name, email, emailVerifiedAt: new Date(), provider, avatarUrl, resellerId },
    {
      consents: newcomer.consents ?? {},
      source: "provider",
      credits: WELCOME_CREDITS,
      entry: { action: "account.registered", details: { provider } },
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
      throw isUniqueViolation(error, "subject") ? refuse("identity_in_use") : error;
    });
  await audit(tx, {
    action: "identity.connected",
    object: { type: "User", id: userId },
    actorId: userId,
    details: { provider },
  });
  return row.id;
}
