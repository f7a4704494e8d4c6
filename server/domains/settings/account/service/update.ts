import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { normalisePhone } from "@/server/core/phone";
import { formatText } from "@/server/core/texts";
import { changeEmail } from "@/server/domains/access/verification/service/change-email";
import { getShortProfile } from "@/server/domains/accounts/profile/service";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import type { putProfile, putUser } from "../contract";
import { ACCOUNT_SELECT, type Account, type AccountChanges } from "../dto";
import { recheckChangeProof, requireChangeProof } from "./change-proof";
import { parseTimeZone, requireExpectedDetails, saveDetails } from "./details";
import { revokeAfterPasswordChange } from "./password";
import { removeSmsFactor } from "./remove-sms-factor";

export async function changeUser(
  ctx: Context<UserActor>,
  { body }: Input<typeof putUser>,
): Promise<Output<typeof putUser>> {
  const { name, email, password, current_password: currentPassword } = body;
  const preferences = {
    dateFormat: body.date_format ?? undefined,
    hourCycle: body.hour_cycle ?? undefined,
    weekStart: body.week_start ?? undefined,
  };
  const changes = { name, email, preferences, currentPassword, password };
  const { message } = await changeAccount(ctx, { ...changes, passwordField: "password" });
  return { success: true, user: await getShortProfile(ctx), message };
}

export async function changeProfile(
  ctx: Context<UserActor>,
  { body }: Input<typeof putProfile>,
): Promise<Output<typeof putProfile>> {
  const { name, email, current_password: currentPassword, new_password: password, expected } = body;
  const phone = body.phone ? normalisePhone(body.phone) : undefined;
  const timezone = body.timezone === undefined ? undefined : parseTimeZone(body.timezone);
  const changes = { name, email, phone, timezone, currentPassword, password, expected };
  const { account, message } = await changeAccount(ctx, { ...changes, passwordField: "new_password" });
  return {
    success: true,
    user: { id: account.id, name: account.name, email: account.email, phone: account.phone },
    message,
  };
}

const EMAIL_MESSAGE_KEYS = {
  changed: "responses.email_changed",
  pending: "responses.email_change_pending",
};

/** Checks last whether the address is taken: the answer reveals whether another account exists. */
async function changeAccount(
  ctx: Context<UserActor>,
  changes: AccountChanges,
): Promise<{ account: Account; message: string }> {
  const { email, phone, password, currentPassword } = changes;
  const proof =
    email || phone || password || currentPassword ? await requireChangeProof(ctx, changes) : undefined;

  return withLockedOwnAccount(ctx, async (tx) => {
    const accountBefore = await tx.db.user.findUniqueOrThrow({
      where: { id: ctx.actor.id },
      select: ACCOUNT_SELECT,
    });
    if (proof) await recheckChangeProof(tx, changes, { before: accountBefore, proof });
    requireExpectedDetails(changes, accountBefore);
    const account = await saveDetails(tx, accountBefore, { ...changes, passwordHash: proof?.passwordHash });
    if (account.phone !== accountBefore.phone) await removeSmsFactor(tx);
    if (password) await revokeAfterPasswordChange(tx);
    const emailOutcome = email ? await changeEmail(tx, account, email) : "same";
    const shownEmail = email && emailOutcome !== "same" ? email : (account.pendingEmail ?? account.email);
    const savedMessageKey = password ? "responses.password_saved" : "responses.profile_saved";
    const messageKey = { ...EMAIL_MESSAGE_KEYS, same: savedMessageKey, respelled: savedMessageKey }[
      emailOutcome
    ];
    return { account: { ...account, email: shownEmail }, message: formatText(ctx.locale, messageKey) };
  });
}
