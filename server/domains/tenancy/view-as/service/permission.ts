import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import type { getSupportAccess, putSupportAccess } from "../contract";
import { LISTED_VISITS_MAX, SUPPORT_PERIOD_DAYS } from "../policy";

export async function readSupportAccess(ctx: Context<UserActor>): Promise<Output<typeof getSupportAccess>> {
  return { success: true, support_access: await describeSupportAccess(ctx) };
}

/** Permits visits, or forbids them and ends running ones. Throws `forbidden` for administrators. */
export async function changeSupportAccess(
  ctx: Context<UserActor>,
  { body }: Input<typeof putSupportAccess>,
): Promise<Output<typeof putSupportAccess>> {
  if (ctx.actor.role === "admin") throw createError("forbidden");
  return withLockedOwnAccount(ctx, async (tx) => {
    const { id: userId } = tx.actor;
    const object = { type: "User" as const, id: userId };
    if (body.until) {
      const until = fromNow(SUPPORT_PERIOD_DAYS[body.until] * DAY);
      await tx.db.supportAccess.upsert({
        where: { userId },
        create: { userId, until },
        update: { until },
        select: { userId: true },
      });
      await audit(tx, { action: "support_access.granted", object, details: { until: body.until } });
      await recordAddition(tx, userId, { kind: "support_access", name: "" });
    } else {
      const { count } = await tx.db.supportAccess.deleteMany({ where: { userId } });
      // The session keeps the ended view: without it, the viewer's next calls would change their own account.
      await tx.db.viewAs.updateMany({
        where: { targetId: userId, endedAt: null, expiresAt: { gt: new Date() } },
        data: { endedAt: new Date() },
      });
      if (count > 0) await audit(tx, { action: "support_access.revoked", object });
    }
    return {
      success: true as const,
      message: formatText(ctx.locale, body.until ? "responses.support_granted" : "responses.support_revoked"),
      support_access: await describeSupportAccess(tx),
    };
  });
}

export function getSupportAccessUntil(permission: { until: Date } | null): string | null {
  return permission && permission.until > new Date() ? toIsoMicros(permission.until) : null;
}

async function describeSupportAccess({ db, actor }: Context<UserActor>) {
  const permission = await db.supportAccess.findUnique({
    where: { userId: actor.id },
    select: { until: true },
  });
  const visits = await db.viewAs.findMany({
    where: { targetId: actor.id },
    orderBy: { id: "desc" },
    take: LISTED_VISITS_MAX,
    select: {
      id: true,
      reason: true,
      startedAt: true,
      expiresAt: true,
      endedAt: true,
      tokenId: true,
      actor: { select: { name: true, role: true } },
      steps: { orderBy: { firstAt: "asc" }, select: { operation: true, calls: true, lastAt: true } },
    },
  });
  const now = new Date();
  const until = getSupportAccessUntil(permission);
  return {
    until,
    visits: visits.map(({ id, reason, startedAt, expiresAt, endedAt, tokenId, actor: viewer, steps }) => {
      // A visit whose session was deleted ended with its last call.
      const lastCallAt = new Date(Math.max(...[startedAt, ...steps.map(({ lastAt }) => lastAt)].map(Number)));
      const isRunning = endedAt === null && expiresAt > now && tokenId !== null && until !== null;
      const endsAt = endedAt ?? (isRunning || expiresAt <= now ? expiresAt : lastCallAt);
      return {
        id,
        name: viewer?.name ?? null,
        role: viewer && viewer.role !== "user" ? viewer.role : null,
        reason,
        started_at: toIsoMicros(startedAt),
        ended_at: toIsoMicros(endsAt),
        running: isRunning,
        steps: steps.map(({ lastAt, ...step }) => ({ ...step, last_at: toIsoMicros(lastAt) })),
      };
    }),
  };
}
