import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createInaccessibleError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { DAY, fromNow, MINUTE, toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { requireAgreement } from "@/server/domains/accounts/portals/service/access";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { endView, getView, startView } from "../contract";
import { findViewTarget, lockSupportAccess } from "../statements";

export async function getCurrentView({ actor }: Context<UserActor>): Promise<Output<typeof getView>> {
  const { impersonation } = actor;
  return {
    success: true,
    view: impersonation
      ? {
          actor: { id: impersonation.actorId, name: impersonation.actorName, role: impersonation.actorRole },
          target: { id: actor.id, name: impersonation.targetName },
          expires_at: toIsoMicros(impersonation.expiresAt),
        }
      : null,
  };
}

export async function startViewAs(
  ctx: Context<UserActor>,
  { body }: Input<typeof startView>,
): Promise<Output<typeof startView>> {
  const { id: actorId, role, token } = ctx.actor;
  if (role === "user") throw createError("forbidden");
  if (token.kind !== "session") throw createError("view_as_panel_only");
  await requireAgreement(ctx);
  await requireProof(ctx);
  return withLockedOwnAccount(ctx, async (tx) => {
    const [permission] = await lockSupportAccess(tx, { userId: body.user_id });
    const [target] = await findViewTarget(tx, { userId: body.user_id, actorId, role });
    if (!target?.isReachable) throw createInaccessibleError(target, "User", body.user_id);
    if (!target.isActive || !permission || permission.until <= new Date())
      throw createError("view_as_not_allowed");
    await detachEndedView(tx);
    if (await tx.db.viewAs.count({ where: { tokenId: token.id } })) throw createError("view_as_running");
    const { name } = await tx.db.user.findUniqueOrThrow({ where: { id: actorId }, select: { name: true } });
    const isRecentlyNotified = await wasRecentlyNotified(tx, target.id);
    await audit(tx, {
      action: "view_as.started",
      object: { type: "User", id: target.id },
      details: { reason: body.reason, minutes: body.minutes },
      onBehalfOf: target.id,
    });
    const expiresAt = fromNow(body.minutes * MINUTE);
    await tx.db.viewAs.create({
      data: {
        actorId,
        targetId: target.id,
        tokenId: token.id,
        reason: body.reason,
        startedAt: new Date(),
        expiresAt,
      },
      select: { id: true },
    });
    if (!isRecentlyNotified)
      await notifyOwner(tx, target.id, "viewed_as", {
        path: "/settings/privacy",
        params: { actor: name, reason: body.reason },
      });
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.view_started"),
      view: {
        actor: { id: actorId, name, role },
        target: { id: target.id, name: target.name },
        expires_at: toIsoMicros(expiresAt),
      },
    };
  });
}

export async function endCurrentView(ctx: Context<UserActor>): Promise<Output<typeof endView>> {
  const userId = await withLockedOwnAccount(ctx, async (tx) => {
    const { id: tokenId } = tx.actor.token;
    const view = await tx.db.viewAs.findUnique({ where: { tokenId }, select: { targetId: true } });
    if (!view) return null;
    const where = { tokenId, endedAt: null, expiresAt: { gt: new Date() } };
    const { count } = await tx.db.viewAs.updateMany({ where, data: { endedAt: new Date() } });
    if (count > 0)
      await audit(tx, {
        action: "view_as.ended",
        object: { type: "User", id: view.targetId },
        onBehalfOf: view.targetId,
      });
    await tx.db.viewAs.updateMany({ where: { tokenId }, data: { tokenId: null } });
    return view.targetId;
  });
  return { success: true, message: formatText(ctx.locale, "responses.view_ended"), user_id: userId };
}

/** True if a mail about a visit is queued or was sent in the last 24 hours. Failed mails do not count. */
async function wasRecentlyNotified({ db }: Context, targetId: number): Promise<boolean> {
  const { email } = await db.user.findUniqueOrThrow({ where: { id: targetId }, select: { email: true } });
  const whereRecent = [{ state: "queued" as const }, { sentAt: { gt: fromNow(-DAY) } }];
  return (
    (await db.mailMessage.count({ where: { toAddress: email, template: "viewed_as", OR: whereRecent } })) > 0
  );
}

async function detachEndedView(tx: Context<UserActor>): Promise<void> {
  const whereEnded = [{ endedAt: { not: null } }, { expiresAt: { lte: new Date() } }];
  await tx.db.viewAs.updateMany({
    where: { tokenId: tx.actor.token.id, OR: whereEnded },
    data: { tokenId: null },
  });
}
