import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalid, refuse } from "@/server/core/errors";
import { storedPhone } from "@/server/core/phone";
import { emailKey } from "@/server/core/schema";
import { requireExpected } from "@/server/core/stale";
import { text } from "@/server/core/texts";
import { timeZone } from "@/server/core/time";
import {
  changeEmail,
  countEmailChange,
  type EmailOutcome,
} from "@/server/domains/access/email-change/service/ask";
import { checkNewPassword } from "@/server/domains/access/passwords/service";
import { endReset } from "@/server/domains/access/sign-in/service/forgot";
import { revokeOthers } from "@/server/domains/access/tokens/service/tokens";
import { activeFactors } from "@/server/domains/access/two-factor/service/factors";
import { dropFactor } from "@/server/domains/access/two-factor/service/set-up";
import { audit, changesOf } from "@/server/domains/accounts/audit/service";
import { voidDeletion } from "@/server/domains/accounts/personal-data/service";
import { shortProfile } from "@/server/domains/accounts/profile/service";
import { withOwnAccount } from "@/server/domains/accounts/proof/service/own-account";
import { requireProof } from "@/server/domains/accounts/proof/service/proof";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { hashPassword } from "@/server/infrastructure/secrets/password";
import type { putProfile, putUser } from "../contract";
import { ACCOUNT, type Account } from "../dto";
import { provePassword } from "./password";

/** Input of the two documented operations, which name it differently. Missing or null leaves a value unchanged. */
interface Changes {
  name?: string | null;
  email?: string | null;
  phone?: string | null;
  /** Null deletes it. */
  timezone?: string | null;
  /** How dates are shown; undefined stays as it is. */
  preferences?: { dateFormat?: string; hourCycle?: string; weekStart?: string };
  currentPassword?: string | null;
  password?: string | null;
  /** The name of the new password's field, for its errors. */
  passwordField: "password" | "new_password";
  expected?: Input<typeof putProfile>["body"]["expected"];
}

/** `PUT /api/user` */
export async function changeUser(
  ctx: Context<UserActor>,
  { body }: Input<typeof putUser>,
): Promise<Output<typeof putUser>> {
  const { current_password: currentPassword, date_format, hour_cycle, week_start, ...changes } = body;
  const preferences = {
    dateFormat: date_format ?? undefined,
    hourCycle: hour_cycle ?? undefined,
    weekStart: week_start ?? undefined,
  };
  const { message } = await update(ctx, {
    ...changes,
    preferences,
    currentPassword,
    passwordField: "password",
  });
  return { success: true, user: await shortProfile(ctx), message };
}

/** `PUT /api/auth/profile` */
export async function changeProfile(
  ctx: Context<UserActor>,
  { body }: Input<typeof putProfile>,
): Promise<Output<typeof putProfile>> {
  const { name, email, phone, timezone, expected } = body;
  const { current_password: currentPassword, new_password: password } = body;
  const changes = { name, email, phone, timezone, currentPassword, password, expected };
  const { account, message } = await update(ctx, { ...changes, passwordField: "new_password" });
  return {
    success: true,
    user: { id: account.id, name: account.name, email: account.email, phone: account.phone },
    message,
  };
}

/**
 * Changes the caller's own data, all or nothing. Whether an address is taken is checked last, because it reveals
 * something about others.
 */
async function update(
  ctx: Context<UserActor>,
  changes: Changes,
): Promise<{ account: Account; message: string }> {
  const phone = changes.phone ? storedPhone(changes.phone) : undefined;
  const timezone = changes.timezone === undefined ? undefined : zoneOf(changes.timezone);
  // A key may change the profile, not the ways into the account.
  const reaches = changes.email || changes.phone || changes.password;
  if (reaches && ctx.actor.token.kind === "api_key") throw refuse("forbidden");
  const { provenBy, passwordHash } = await prove(ctx, changes, phone);

  return withOwnAccount(ctx, async (tx) => {
    const before = await tx.db.user.findUniqueOrThrow({ where: { id: ctx.actor.id }, select: ACCOUNT });
    // Another request has changed the password that this one was proven against.
    if (provenBy !== undefined && before.passwordHash !== provenBy) throw refuse("current_password_wrong");
    // A factor may have been added meanwhile.
    const { movesPhone } = await requireGuarded(tx, changes, { account: before, phone });
    const keepsPhone = before.phone !== null && (phone ?? before.phone) === before.phone;
    const changed = {
      name: changes.name ?? before.name,
      phone: phone ?? before.phone,
      timezone: timezone === undefined ? before.timezone : timezone,
      passwordHash: passwordHash ?? before.passwordHash,
    };
    const shown = before.pendingEmail ?? before.email;
    requireExpected(changes.expected, {
      current: { ...profileOf(before), email: shown },
      wanted: { ...profileOf(changed), email: changes.email ?? shown },
    });
    await updateUser(
      tx,
      { id: before.id },
      {
        ...changed,
        ...changes.preferences,
        ...(!keepsPhone && { phoneVerifiedAt: null }),
      },
    );
    const account = { ...before, ...changed };
    // SMS codes went to the number that is replaced, so a sign-in method is lost.
    if (movesPhone && (await receivesSms(tx))) await dropFactor(tx, before.id, "sms");
    await auditFields(tx, before, account);
    if (passwordHash) await passwordChanged(tx);
    const outcome = changes.email ? await changeEmail(tx, account, changes.email) : "same";
    const email = outcome === "same" ? (account.pendingEmail ?? account.email) : changes.email!;
    return { account: { ...account, email }, message: text(ctx.locale, messageOf(outcome, passwordHash)) };
  });
}

interface Proven {
  /**
   * The hash that the change was proven against, null for an account without a password; undefined when no proof is
   * needed.
   */
  provenBy?: string | null;
  /** Hash of the new password. */
  passwordHash?: string;
}

/**
 * Requires what a change of sign-in methods needs: the current password, or a fresh proof of identity. A password that is
 * given without need has to be right, too; keys are not there to guess one.
 */
async function prove(ctx: Context<UserActor>, changes: Changes, phone: string | undefined): Promise<Proven> {
  const typed = Boolean(changes.currentPassword) && ctx.actor.token.kind !== "api_key";
  const guarded = Boolean(changes.password) || typed;
  if (!changes.email && !guarded && !phone) return {};
  const known = await ctx.db.user.findUnique({ where: { id: ctx.actor.id }, select: ACCOUNT });
  if (!known) throw refuse("unauthenticated");
  if (guarded && known.passwordHash) await provePassword(ctx, known.passwordHash, changes.currentPassword);
  else if (changes.password) await requireProof(ctx);
  const { movesEmail } = await requireGuarded(ctx, changes, { account: known, phone });
  const passwordHash = changes.password ? await hashNew(changes, changes.password, known.email) : undefined;
  if (movesEmail) await countEmailChange(ctx, changes.email!);
  return { provenBy: guarded ? known.passwordHash : undefined, passwordHash };
}

/** Another address or telephone needs a fresh proof where more than a password guards the account. */
async function requireGuarded(
  ctx: Context<UserActor>,
  { email }: Changes,
  { account, phone }: { account: Account; phone: string | undefined },
): Promise<{ movesEmail: boolean; movesPhone: boolean }> {
  const movesEmail = Boolean(email) && emailKey(email!) !== account.emailKey;
  const movesPhone = phone !== undefined && phone !== account.phone;
  if ((movesEmail || movesPhone) && (await isGuarded(ctx))) await requireProof(ctx);
  return { movesEmail, movesPhone };
}

function profileOf({ name, phone, timezone }: Pick<Account, "name" | "phone" | "timezone">) {
  return { name, phone, timezone };
}

function zoneOf(given: string | null): string | null {
  const zone = given && timeZone(given);
  if (given && !zone) throw invalid("timezone", "timezone");
  return zone;
}

/** Whether the account is entered by more than a password: then its address and telephone are guarded alike. */
async function isGuarded({ actor, db }: Context<UserActor>): Promise<boolean> {
  const strong = { OR: [{ factors: { some: { confirmedAt: { not: null } } } }, { passkeys: { some: {} } }] };
  return (await db.user.count({ where: { id: actor.id, ...strong } })) > 0;
}

async function receivesSms(ctx: Context<UserActor>): Promise<boolean> {
  return (await activeFactors(ctx, ctx.actor.id)).some(({ kind }) => kind === "sms");
}

async function hashNew(
  { email, passwordField }: Changes,
  password: string,
  current: string,
): Promise<string> {
  await checkNewPassword(password, { email: email ?? current, field: passwordField });
  return hashPassword(password);
}

/** Ends everything that was signed in with the old password, except this token. */
async function passwordChanged(tx: Context<UserActor>): Promise<void> {
  const { id, token } = tx.actor;
  await revokeOthers(tx, id, token.id);
  await endReset(tx, id);
  await voidDeletion(tx, id);
  await audit(tx, { action: "password.changed", object: { type: "User", id } });
  await notifyOwner(tx, id, "password_changed");
}

async function auditFields(tx: Context<UserActor>, before: Account, after: Account): Promise<void> {
  const fields = (["name", "phone", "timezone"] as const).filter((field) => before[field] !== after[field]);
  if (fields.length === 0) return;
  await audit(tx, {
    action: "profile.changed",
    object: { type: "User", id: after.id },
    details: { fields: fields.join(" ") },
    changes: changesOf(fieldsOf(before), fieldsOf(after)),
  });
}

const fieldsOf = ({ name, phone, timezone }: Account) => ({ name, phone, timezone });

function messageOf(outcome: EmailOutcome, passwordHash: string | undefined): string {
  if (outcome === "changed") return "responses.email_changed";
  if (outcome === "pending") return "responses.email_change_pending";
  return passwordHash ? "responses.password_saved" : "responses.profile_saved";
}
