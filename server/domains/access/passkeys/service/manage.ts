import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createInaccessibleError, createNotFoundError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { deletePasskey, listPasskeys, renamePasskey } from "../contract";
import { PASSKEY_SELECT, toPasskeyDto } from "../dto";

export async function listOwnPasskeys({
  actor,
  db,
}: Context<UserActor>): Promise<Output<typeof listPasskeys>> {
  const rows = await db.passkey.findMany({
    where: { userId: actor.id },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: PASSKEY_SELECT,
  });
  const passkeys = rows.map(toPasskeyDto);
  return { success: true, passkeys, data: passkeys, count: passkeys.length };
}

export async function renameOwnPasskey(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof renamePasskey>,
): Promise<Output<typeof renamePasskey>> {
  await requireOwnPasskey(ctx, params.id);
  const [row] = await ctx.db.passkey.updateManyAndReturn({
    where: { id: params.id, userId: ctx.actor.id },
    data: { deviceName: body.device_name },
    select: PASSKEY_SELECT,
  });
  if (!row) throw createNotFoundError("Passkey", params.id);
  return {
    success: true,
    passkey: toPasskeyDto(row),
    message: formatText(ctx.locale, "responses.passkey_renamed"),
  };
}

async function requireOwnPasskey({ db, actor }: Context<UserActor>, id: string): Promise<void> {
  const passkey = await db.passkey.findUnique({ where: { id }, select: { userId: true } });
  if (passkey?.userId !== actor.id) throw createInaccessibleError(passkey, "Passkey", id);
}

export async function deleteOwnPasskey(
  ctx: Context<UserActor>,
  { params }: Input<typeof deletePasskey>,
): Promise<Output<typeof deletePasskey>> {
  await requireOwnPasskey(ctx, params.id);
  await requireProof(ctx);
  const { id: userId } = ctx.actor;
  await withLockedOwnAccount(ctx, async (tx) => {
    // Under the lock: two concurrent removals must not each count on the other's passkey.
    const passkey = await tx.db.passkey.findFirst({
      where: { id: params.id, userId },
      select: {
        deviceName: true,
        user: { select: { passwordHash: true, _count: { select: { passkeys: true, identities: true } } } },
      },
    });
    if (!passkey) throw createNotFoundError("Passkey", params.id);
    const { passwordHash, _count } = passkey.user;
    if (!passwordHash && _count.passkeys + _count.identities === 1) throw createError("last_way_in");
    await tx.db.passkey.deleteMany({ where: { id: params.id } });
    await audit(tx, {
      action: "passkey.removed",
      object: { type: "User", id: userId },
      details: { passkey: params.id },
    });
    await notifyOwner(tx, userId, "passkey_removed", { params: { device: passkey.deviceName } });
  });
  return { success: true, message: formatText(ctx.locale, "responses.passkey_removed") };
}
