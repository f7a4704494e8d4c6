import type { Context } from "@/server/core/context";
import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { requireSignUp } from "@/server/domains/access/registration/service/open";
import { endOthersPending } from "@/server/domains/access/verification/service/prove";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { WELCOME_CREDITS } from "@/server/domains/accounts/credits/service/credits";
import { resellerAt } from "@/server/domains/accounts/portals/service/access";
import { openAccount } from "@/server/domains/accounts/profile/service/open";
import { confirmAddress } from "@/server/domains/accounts/users/service/change";
import { lockAddress, lockName, lockUser } from "@/server/domains/accounts/users/service/lock";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { isTaken } from "@/server/infrastructure/database/failure";
import { lockAccount } from "../statements";
import { type Newcomer, nameOf } from "./newcomer";
import { takeOver } from "./take-over";
import type { Identity } from "./verify";

/** The account that an identity opens, and the identity's own id; undefined while it is to be linked by signing in. */
export interface Opened {
  userId: number;
  identityId: number | undefined;
}

/**
 * Finds the account of an identity, by its verified address, too, or opens a new one. Somebody else's proven account is not
 * linked here: whoever does not get through its gates leaves nothing in it. Throws `identity_email_taken` when the address belongs to an account that this identity must not open.
 */
export async function accountOf(tx: Context, identity: Identity, newcomer: Newcomer): Promise<Opened> {
  await lockIdentity(tx, identity);
  const known = await linkedAccount(tx, identity);
  if (known) return known;
  const key = emailKey(identity.email);
  // An account may be registered between the lookup and the insert; the second round finds it.
  for (let round = 0; round < 2; round++) {
    const found = await existingAccount(tx, identity, { key, newcomer });
    if (found?.verified) return { userId: found.id, identityId: undefined };
    const userId = found?.id ?? (await newAccount(tx, identity, newcomer));
    if (!userId) continue;
    await endOthersPending(tx, { userId, emailKey: key });
    return { userId, identityId: await link(tx, identity, userId) };
  }
  throw refuse("identity_email_taken");
}

/** Two simultaneous sign-ins of one person open one account: the identity is locked first, then its address. */
async function lockIdentity(tx: Context, { provider, issuer, subject, email }: Identity): Promise<void> {
  await lockName(tx, `identity:${provider}:${issuer}:${subject}`);
  await lockAddress(tx, emailKey(email));
}

/** The account this identity is linked to, whatever addresses the two have by now. */
async function linkedAccount(tx: Context, identity: Identity): Promise<Opened | undefined> {
  const { db } = tx;
  const { provider, issuer, subject, email } = identity;
  const where = { provider, issuer, subject };
  const linked = await db.externalIdentity.findFirst({ where, select: { userId: true } });
  if (!linked) return undefined;
  // The account first, like everybody who removes one of its identities.
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
 * Returns the account with this address. An account that already has an identity gets no second one by its address,
 * because the address may have changed hands at the provider. An unverified address proves nothing about the person who
 * registered it, so that person is shut out first; an unverified account with a history cannot be taken over.
 */
async function existingAccount(
  tx: Context,
  identity: Identity,
  { key, newcomer }: { key: string; newcomer: Newcomer },
): Promise<{ id: number; verified: boolean } | undefined> {
  const [found] = await lockAccount(tx, { key });
  if (!found) return undefined;
  if (found.hasIdentity || (!found.verified && found.hasHistory)) throw refuse("identity_email_taken");
  if (!found.verified) {
    await takeOver(tx, found.id, { identity, newcomer });
    await notifyOwner(tx, found.id, "account_claimed");
  }
  return found;
}

/** Opens an account; undefined when somebody has just opened one with this address. */
async function newAccount(tx: Context, identity: Identity, newcomer: Newcomer): Promise<number | undefined> {
  const { provider, email, avatarUrl } = identity;
  const resellerId = await resellerAt(tx);
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

/** Links an identity to an account; returns the identity's id. */
export async function link(tx: Context, identity: Identity, userId: number): Promise<number> {
  const { provider, issuer, subject, email } = identity;
  const row = await tx.db.externalIdentity
    .create({
      data: { userId, provider, issuer, subject, email, lastUsedAt: new Date() },
      select: { id: true },
    })
    .catch((error: unknown) => {
      throw isTaken(error, "subject") ? refuse("identity_in_use") : error;
    });
  await audit(tx, {
    action: "identity.connected",
    object: { type: "User", id: userId },
    actorId: userId,
    details: { provider },
  });
  return row.id;
}
