import type { Context, UserActor } from "@/server/core/context";
import { createError } from "@/server/core/errors";
import { toEmailKey } from "@/server/core/schema";
import { limitEmailChanges } from "@/server/domains/access/verification/service/change-email";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { ACCOUNT_SELECT, type Account, type AccountChanges } from "../dto";
import { checkCurrentPassword, hashNewPassword } from "./password";

interface ChangeProof {
  /** Password hash that was proven; null without a password; undefined if no proof was needed. */
  provenPasswordHash?: string | null;
  passwordHash?: string;
}

/**
 * Requires the current password or a recent proof of identity to change sign-in methods. Checks a sent
 * password even if none is required. API keys cannot change sign-in methods; a password they send is ignored.
 */
export async function requireChangeProof(
  ctx: Context<UserActor>,
  changes: AccountChanges,
): Promise<ChangeProof> {
  const { email, phone, password, currentPassword, passwordField } = changes;
  const isApiKey = ctx.actor.token.kind === "api_key";
  if (isApiKey && (email || phone || password)) throw createError("forbidden");
  const hasSentPassword = Boolean(currentPassword) && !isApiKey;
  const needsPassword = Boolean(password) || hasSentPassword;
  if (!email && !phone && !needsPassword) return {};
  const account = await ctx.db.user.findUnique({ where: { id: ctx.actor.id }, select: ACCOUNT_SELECT });
  if (!account) throw createError("unauthenticated");
  if (needsPassword && account.passwordHash)
    await checkCurrentPassword(ctx, account.passwordHash, currentPassword);
  else if (password) await requireProof(ctx);
  await requireProofForContactChange(ctx, changes, account);
  const owner = { email: email ?? account.email, field: passwordField };
  const passwordHash = password ? await hashNewPassword(password, owner) : undefined;
  if (email && changesEmail(email, account)) await limitEmailChanges(ctx, email);
  return { provenPasswordHash: needsPassword ? account.passwordHash : undefined, passwordHash };
}

/** Repeats the checks under the lock: password and factors may have changed. */
export async function recheckChangeProof(
  tx: Context<UserActor>,
  changes: AccountChanges,
  { before, proof }: { before: Account; proof: ChangeProof },
): Promise<void> {
  const { provenPasswordHash } = proof;
  if (provenPasswordHash !== undefined && before.passwordHash !== provenPasswordHash)
    throw createError("current_password_wrong");
  await requireProofForContactChange(tx, changes, before);
}

/** With a second factor or passkey, a new email address or phone number needs a recent proof of identity. */
async function requireProofForContactChange(
  ctx: Context<UserActor>,
  { email, phone }: AccountChanges,
  account: Account,
): Promise<void> {
  const changesContact =
    (email && changesEmail(email, account)) || (phone !== undefined && phone !== account.phone);
  if (changesContact && (await hasFactorOrPasskey(ctx))) await requireProof(ctx);
}

function changesEmail(email: string, account: Account): boolean {
  return toEmailKey(email) !== account.emailKey;
}

async function hasFactorOrPasskey({ actor, db }: Context<UserActor>): Promise<boolean> {
  const factorFilter = {
    OR: [{ factors: { some: { confirmedAt: { not: null } } } }, { passkeys: { some: {} } }],
  };
  return (await db.user.count({ where: { id: actor.id, ...factorFilter } })) > 0;
}
