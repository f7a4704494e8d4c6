import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { outOfReach, refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/audit/service";
import { notifyOwner } from "@/server/domains/profile/service";
import { requireProof } from "@/server/domains/tokens/service/tokens";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import type { deletePasskey, listPasskeys, renamePasskey } from "../contract";
import { type PasskeyRow, passkeyOf } from "../dto";

/** The caller's passkeys, oldest first. */
export async function list({ actor, sql }: Context<UserActor>): Promise<Answer<typeof listPasskeys>> {
  const rows = await sql<PasskeyRow>`
    select id, device_name, aaguid, backed_up, transports, created_at, last_used_at from passkeys
     where user_id = ${actor.id} order by created_at, id`;
  const passkeys = rows.map(passkeyOf);
  return { success: true, passkeys, data: passkeys, count: passkeys.length };
}

/** Renames one of the caller's passkeys. */
export async function rename(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof renamePasskey>,
): Promise<Answer<typeof renamePasskey>> {
  await requireOwn(ctx, params.id);
  const [row] = await ctx.sql<PasskeyRow>`
    update passkeys set device_name = ${body.device_name} where id = ${params.id} and user_id = ${ctx.actor.id}
    returning id, device_name, aaguid, backed_up, transports, created_at, last_used_at`;
  if (!row) throw outOfReach(undefined, "Passkey", params.id);
  return { success: true, passkey: passkeyOf(row), message: text(ctx.locale, "answers.passkey_renamed") };
}

async function requireOwn({ db, actor }: Context<UserActor>, id: string): Promise<void> {
  const passkey = await db.passkey.findUnique({ where: { id }, select: { userId: true } });
  if (passkey?.userId !== actor.id) throw outOfReach(passkey, "Passkey", id);
}

/** Deletes one of the caller's passkeys, unless nothing else would open the account. */
export async function remove(
  ctx: Context<UserActor>,
  { params }: Input<typeof deletePasskey>,
): Promise<Answer<typeof deletePasskey>> {
  await requireOwn(ctx, params.id);
  await requireProof(ctx);
  const { id: userId } = ctx.actor;
  await withTransaction(ctx, async (tx) => {
    // Two removals at once must not each take the other's for the way in that is left.
    const [account] = await tx.sql<{ has_password: boolean }>`
      select password_hash is not null as has_password from users where id = ${userId} for update`;
    const [held] = await tx.sql<{ device_name: string; others: number }>`
      select device_name,
             (select count(*)::int from passkeys where user_id = ${userId} and id <> ${params.id})
               + (select count(*)::int from external_identities where user_id = ${userId}) as others
        from passkeys where id = ${params.id} and user_id = ${userId}`;
    if (!held) throw outOfReach(undefined, "Passkey", params.id);
    if (!account?.has_password && held.others === 0) throw refuse("last_way_in");
    await tx.sql`delete from passkeys where id = ${params.id}`;
    await audit(tx, {
      action: "passkey.removed",
      object: { type: "User", id: userId },
      details: { passkey: params.id },
    });
    await notifyOwner(tx, userId, "passkey_removed", { params: { device: held.device_name } });
  });
  return { success: true, message: text(ctx.locale, "answers.passkey_removed") };
}
