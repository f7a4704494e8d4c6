import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { endSignIns } from "@/server/domains/access/tokens/service/tokens";
import { sendVerification } from "@/server/domains/access/verification/service/mail";
import { audit } from "@/server/domains/accounts/audit/service";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import type { sendUserVerification, signOutUser } from "../contract";
import { asAdministrator, lockTarget } from "./target";

/** Ends every sign-in of somebody else's account, as after a lost device. */
export async function signOut(
  ctx: Context<UserActor>,
  { params: { id }, body: { reason } }: Input<typeof signOutUser>,
): Promise<Output<typeof signOutUser>> {
  const ended = await asAdministrator(ctx, async (tx) => {
    await lockTarget(tx, id);
    if (id === tx.actor.id) throw refuse("own_account");
    const count = await endSignIns(tx, id);
    await audit(tx, {
      action: "account.signed_out",
      object: { type: "User", id },
      details: { reason, ended: count },
    });
    await notifyOwner(tx, id, "account_signed_out", { path: "/sign-in" });
    return count;
  });
  return { success: true, message: text(ctx.locale, "responses.account_signed_out"), ended };
}

/** Sends the mail with link and code once more, to an address that is not verified. */
export async function sendLink(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof sendUserVerification>,
): Promise<Output<typeof sendUserVerification>> {
  await asAdministrator(ctx, async (tx) => {
    const target = await lockTarget(tx, id);
    if (target.emailVerifiedAt) throw refuse("address_verified");
    await sendVerification(tx, target);
    await audit(tx, { action: "account.verification_sent", object: { type: "User", id } });
  });
  return { success: true, message: text(ctx.locale, "responses.verification_mailed") };
}
