import type { Context, UserActor } from "@/server/core/context";
import { createSystemContext } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createInaccessibleError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { DAY, fromNow, HOUR, MINUTE } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { emit } from "@/server/domains/accounts/webhooks/service/events";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import type { checkConnection } from "../contract";
import { canManageConnection } from "../policy";
import { getLineage, getSiteIds } from "./find";
import type { Outcome } from "./provider";
import { getCredentialChecker, toTarget } from "./providers";
import { CONNECTION_ROW_SELECT, type ConnectionRow, toConnectionOutput } from "./rows";
import { createCallerWithoutLog } from "./webhook";

/** Minimum time between the two refusals that make a token dead. */
const DEAD_CONFIRMATION_MS = 10 * MINUTE;

export async function requireConnection(
  { db, actor }: Context<UserActor>,
  id: number,
): Promise<ConnectionRow> {
  const row = await db.connection.findUnique({ where: { id }, select: CONNECTION_ROW_SELECT });
  if (!row || !canManageConnection(actor.scope, getLineage(row)))
    throw createInaccessibleError(row, "Connection", id);
  return row;
}

export async function checkManagedConnection(
  ctx: Context<UserActor>,
  { params }: Input<typeof checkConnection>,
): Promise<Output<typeof checkConnection>> {
  await requireConnection(ctx, params.id);
  await checkHealth(params.id);
  const row = await requireConnection(ctx, params.id);
  return {
    success: true,
    message: formatText(ctx.locale, "responses.connection_checked"),
    connection: toConnectionOutput(row, ctx.actor.scope),
  };
}

/** Checks the credentials and stores the result. Reports a token that is dead since this check. */
export async function checkHealth(id: number): Promise<void> {
  const row = await withoutTransaction().db.connection.findUnique({
    where: { id, cleanup: { not: "running" } },
    select: CONNECTION_ROW_SELECT,
  });
  const checker = row && getCredentialChecker(row.channel);
  if (!row || !checker) return;
  const { outcome } = await checker.checkCredentials(toTarget(row), createCallerWithoutLog());
  // Skips the row if the secret was replaced during the check.
  const whereSecretUnchanged = { id, secretSealed: row.secretSealed };
  await inTransaction(async (tx) => {
    const now = new Date();
    const checkTimes = { checkedAt: now, nextCheckAt: getNextCheckTime(row, outcome) };
    if (outcome === "ok")
      return void (await tx.db.connection.updateMany({
        where: whereSecretUnchanged,
        data: { ...checkTimes, health: "ok", lastOkAt: now, deadSeenAt: null, tokenDeadAt: null },
      }));
    await tx.db.connection.updateMany({ where: whereSecretUnchanged, data: checkTimes });
    if (outcome !== "dead")
      return void (await tx.db.connection.updateMany({
        where: { ...whereSecretUnchanged, tokenDeadAt: null },
        data: { health: "unreachable" },
      }));
    const { count: firstRefusalCount } = await tx.db.connection.updateMany({
      where: { ...whereSecretUnchanged, deadSeenAt: null },
      data: { deadSeenAt: now },
    });
    if (firstRefusalCount > 0) return;
    const { count: secondRefusalCount } = await tx.db.connection.updateMany({
      where: {
        ...whereSecretUnchanged,
        tokenDeadAt: null,
        deadSeenAt: { lte: fromNow(-DEAD_CONFIRMATION_MS) },
      },
      data: { health: "dead", tokenDeadAt: now },
    });
    if (secondRefusalCount === 0) return;
    await audit(createSystemContext(tx), {
      action: "connection.token_dead",
      object: { type: "Connection", id },
      details: { channel: row.channel },
    });
    await emit(tx, {
      type: "connection.token_dead",
      ownerId: row.userId,
      data: { id, channel: row.channel, label: row.label, site_ids: getSiteIds(row) },
    });
    await notifyOwner(createSystemContext(tx), row.userId, "connection_token_dead", {
      path: "/connections",
      params: { connection: row.label, channel: row.channel },
    });
  });
}

/** The next check follows 11 minutes after a first refusal. ±10 % at random avoids bursts. */
function getNextCheckTime({ isActive, tokenDeadAt }: ConnectionRow, outcome: Outcome): Date {
  if (outcome === "dead" && !tokenDeadAt) return fromNow(DEAD_CONFIRMATION_MS + MINUTE);
  const interval = isActive && outcome !== "dead" ? 6 * HOUR : DAY;
  return fromNow(interval * (0.9 + Math.random() * 0.2));
}
