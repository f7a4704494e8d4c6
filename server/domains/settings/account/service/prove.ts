import type { Context, UserActor } from "@/server/core/context";
import { refuse } from "@/server/core/errors";
import { emailKey } from "@/server/core/schema";
import { countEmailChange } from "@/server/domains/access/verification/service/change-email";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { ACCOUNT, type Account, type Changes } from "../dto";
import { checkCurrentPassword, hashNewPassword } from "./password";

interface Proof {
  /** Password hash that was proven; null without a password; undefined if no proof was needed. */
  provenBy?: string | null;
  passwordHash?: string;
}

/**
 * Requires the current password or a recent proof of identity for changes of sign-in methods. Also checks a
 * password that is sent without need. API keys cannot change sign-in methods, nor guess passwords.
 */
export async function requireChangeProof(ctx: Context<UserActor>, changes: Changes): Promise<Proof> {
  const { email, phone, password, currentPassword, passwordField } = changes;
  const isKey = ctx.actor.token.kind === "api_key";
  if (isKey && (email || phone || password)) throw refuse("forbidden");
  const isTyped = Boolean(currentPassword) && !isKey;
  const needsPassword = Boolean(password) || isTyped;
  if (!email && !phone && !needsPassword) return {};
  const account = await ctx.db.user.findUnique({ where: { id: ctx.actor.id }, select: ACCOUNT });
  if (!account) throw refuse("unauthenticated");
  if (needsPassword && account.passwordHash)
    await checkCurrentPassword(ctx, account.passwordHash, currentPassword);
  else if (password) await requireProof(ctx);
  await requireProofToMove(ctx, changes, account);
  const owner = { email: email ?? account.email, field: passwordField };
  const passwordHash = password ? await hashNewPassword(password, owner) : undefined;
  if (email && movesEmail(email, account)) await countEmailChange(ctx, email);
  return { provenBy: needsPassword ? account.passwordHash : undefined, passwordHash };
}

/** Repeats the checks under the lock: password and factors may have changed. */
export async function requireStillProven(
  tx: Context<UserActor>,
  changes: Changes,
  { before, proof }: { before: Account; proof: Proof },
): Promise<void> {
  const { provenBy } = proof;
  if (provenBy !== undefined && before.passwordHash !== provenBy) throw refuse("current_password_wrong");
  await requireProofToMove(tx, changes, before);
}

/** With a second factor or passkey, a new e-mail address or phone number needs a recent proof of identity. */
async function requireProofToMove(
  ctx: Context<UserActor>,
  { email, phone }: Changes,
  account: Account,
): Promise<void> {
  const moves = (email && movesEmail(email, account)) || (phone !== undefined && phone !== account.phone);
  if (moves && (await hasFactors(ctx))) await requireProof(ctx);
}

function movesEmail(email: string, account: Account): boolean {
  return emailKey(email) !== account.emailKey;
}

async function hasFactors({ actor, db }: Context<UserActor>): Promise<boolean> {
  const strong = { OR: [{ factors: { some: { confirmedAt: { not: null } } } }, { passkeys: { some: {} } }] };
  return (await db.user.count({ where: { id: actor.id, ...strong } })) > 0;
}
