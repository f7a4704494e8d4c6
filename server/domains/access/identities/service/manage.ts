import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createInaccessibleError, createNotFoundError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { connectIdentity, listIdentities, removeIdentity, startConnecting } from "../contract";
import { IDENTITY_SELECT, toIdentityDto } from "../dto";
import { addIdentity } from "./find-or-open-account";
import { consumeIdToken, verifyIdToken } from "./id-token";
import { listAvailableProviders } from "./providers";

export async function listOwnIdentities(ctx: Context<UserActor>): Promise<Output<typeof listIdentities>> {
  const rows = await ctx.db.externalIdentity.findMany({
    where: { userId: ctx.actor.id },
    orderBy: { id: "asc" },
    select: IDENTITY_SELECT,
  });
  return {
    success: true,
    data: rows.map(toIdentityDto),
    available: listAvailableProviders(),
    other_way_in: await hasOtherSignInMethod(ctx, ctx.actor.id),
  };
}

async function hasOtherSignInMethod({ db }: Pick<DbAccess, "db">, userId: number): Promise<boolean> {
  const user = await db.user.findFirst({
    where: { id: userId, OR: [{ passwordHash: { not: null } }, { passkeys: { some: {} } }] },
    select: { id: true },
  });
  return user !== null;
}

/** Checks that an identity can be connected, before the user is redirected to the provider. */
export async function startOwnConnection(ctx: Context<UserActor>): Promise<Output<typeof startConnecting>> {
  if (!ctx.actor.emailVerified) throw createError("email_needs_verification");
  await requireProof(ctx);
  return { success: true, available: listAvailableProviders() };
}

export async function connectOwnIdentity(
  ctx: Context<UserActor>,
  { body }: Input<typeof connectIdentity>,
): Promise<Output<typeof connectIdentity>> {
  if (!ctx.actor.emailVerified) throw createError("email_needs_verification");
  await requireProof(ctx);
  const identity = await verifyIdToken(body.provider, body.id_token);
  return withLockedOwnAccount(ctx, async (tx) => {
    await consumeIdToken(tx, identity);
    const id = await addIdentity(tx, identity, ctx.actor.id);
    await notifyOwner(tx, ctx.actor.id, "identity_connected");
    const row = await tx.db.externalIdentity.findUniqueOrThrow({ where: { id }, select: IDENTITY_SELECT });
    const message = formatText(ctx.locale, "responses.identity_connected");
    return { success: true as const, message, identity: toIdentityDto(row) };
  });
}

export async function removeOwnIdentity(
  ctx: Context<UserActor>,
  { params }: Input<typeof removeIdentity>,
): Promise<Output<typeof removeIdentity>> {
  const userId = ctx.actor.id;
  const { id } = params;
  const identity = await ctx.db.externalIdentity.findUnique({ where: { id }, select: { userId: true } });
  if (identity?.userId !== userId) throw createInaccessibleError(identity, "ExternalIdentity", id);
  await requireProof(ctx);
  await withLockedOwnAccount(ctx, async (tx) => {
    // Under the lock: two concurrent removals must not each count on the other's identity.
    const rows = await tx.db.externalIdentity.findMany({
      where: { userId },
      select: { id: true, provider: true },
    });
    const row = rows.find((identityRow) => identityRow.id === id);
    if (!row) throw createNotFoundError("ExternalIdentity", id);
    if (rows.length === 1 && !(await hasOtherSignInMethod(tx, userId))) throw createError("last_way_in");
    await tx.db.externalIdentity.delete({ where: { id }, select: { id: true } });
    await audit(tx, {
      action: "identity.removed",
      object: { type: "User", id: userId },
      details: { provider: row.provider },
    });
    await notifyOwner(tx, userId, "identity_removed");
  });
  return { success: true, message: formatText(ctx.locale, "responses.identity_removed") };
}
