import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createInaccessibleError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { cancelPendingEmail } from "@/server/domains/accounts/users/service/change";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import type { endOtherSessions, endSession, listSessions } from "../contract";
import { listSessionsByUse } from "../statements";

export async function listOwnSessions(ctx: Context<UserActor>): Promise<Output<typeof listSessions>> {
  const rows = await listSessionsByUse(ctx, { userId: ctx.actor.id });
  const sessions = rows.map((row) => ({
    id: row.id,
    kind: row.kind === "session" ? ("panel" as const) : ("token" as const),
    current: row.id === ctx.actor.token.id,
    ip: row.ip,
    user_agent: row.userAgent,
    created_at: toIsoMicros(row.createdAt),
    last_used_at: toIsoMicros(row.lastUsedAt),
    expires_at: toIsoMicros(row.expiresAt),
  }));
  return { success: true, sessions, data: sessions, count: sessions.length };
}

function whereSignInsOf({ id }: UserActor) {
  return { userId: id, kind: { not: "api_key" } } as const;
}

export async function endOwnSession(
  ctx: Context<UserActor>,
  { params }: Input<typeof endSession>,
): Promise<Output<typeof endSession>> {
  const { id } = params;
  const isDeleted = await withLockedOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.accessToken.deleteMany({ where: { id, ...whereSignInsOf(ctx.actor) } });
    if (count === 0) return false;
    // The ended session may be an intruder's: cancel the change of address that it requested.
    if (id !== ctx.actor.token.id) await cancelPendingEmail(tx, ctx.actor.id, id);
    await audit(tx, { action: "session.ended", object: { type: "User", id: ctx.actor.id } });
    return true;
  });
  if (!isDeleted) {
    const where = { id, kind: { not: "api_key" } } as const;
    throw createInaccessibleError(
      await ctx.db.accessToken.findUnique({ where, select: { id: true } }),
      "Session",
      id,
    );
  }
  return { success: true, message: formatText(ctx.locale, "responses.session_ended") };
}

/** Ends every sign-in except the current one. Called with an API key, which is no sign-in, it ends all. */
export async function endAllOtherSessions(ctx: Context<UserActor>): Promise<Output<typeof endOtherSessions>> {
  return withLockedOwnAccount(ctx, async (tx) => {
    const { count: ended } = await tx.db.accessToken.deleteMany({
      where: { id: { not: ctx.actor.token.id }, ...whereSignInsOf(ctx.actor) },
    });
    await cancelPendingEmail(tx, ctx.actor.id, { not: ctx.actor.token.id });
    await audit(tx, {
      action: "session.ended",
      object: { type: "User", id: ctx.actor.id },
      details: { others: ended },
    });
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.sessions_ended"),
      ended,
    };
  });
}
