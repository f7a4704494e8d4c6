import type { Context, UserActor } from "@/server/core/context";
import { createSystemContext } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createInaccessibleError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { DAY, fromNow, HOUR, MINUTE } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import type { checkConnection } from "../contract";
import { canManageConnection } from "../policy";
import { getConnectionLineage, getLinkedSiteIds } from "./find";
import type { CallOutcome } from "./provider";
import { getCredentialChecker, toProviderTarget } from "./provider-registry";
import { CONNECTION_ROW_SELECT, type ConnectionRow, toConnectionOutput } from "./rows";
import { createUnloggedProviderCaller } from "./webhook";

/** Minimum time between the two refusals that make a token dead. */
const DEAD_CONFIRMATION_MS = 10 * MINUTE;

export async function requireManageableConnection(
  { db, actor }: Context<UserActor>,
  id: number,
): Promise<ConnectionRow> {
  const row = await db.connection.findUnique({ where: { id }, select: CONNECTION_ROW_SELECT });
  if (!row || !canManageConnection(actor.scope, getConnectionLineage(row)))
    throw createInaccessibleError(row, "Connection", id);
  return row;
}

export async function checkManagedConnection(
  ctx: Context<UserActor>,
  { params }: Input<typeof checkConnection>,
): Promise<Output<typeof checkConnection>> {
  await requireManageableConnection(ctx, params.id);
  await checkConnectionHealth(params.id);
  const row = await requireManageableConnection(ctx, params.id);
  return {
    success: true,
    message: formatText(ctx.locale, "responses.connection_checked"),
    connection: toConnectionOutput(row, ctx.actor.scope),
  };
}

/** Checks the credentials and stores the result. Reports a token that is dead since this check. */
export async function checkConnectionHealth(id: number): Promise<void> {
  const row = await withoutTransaction().db.connection.findUnique({
    where: { id, cleanup: { not: "running" } },
    select: CONNECTION_ROW_SELECT,
  });
  const checker = row && getCredentialChecker(row.channel);
  if (!row || !checker) return;
  const { outcome } = await checker.checkCredentials(toProviderTarget(row), createUnloggedProviderCaller());
  // Skips the row if the secret was replaced during the check.
  const whereSecretUnchanged = { id, secretSealed: row.secretSealed };
  await inTransaction(async (tx) => {
    const now = new Date();
    const checkTimes = { checkedAt: now, nextCheckAt: getNextCheckTime(row, outcome) };
    const healthyState = { health: "ok", lastOkAt: now, deadSeenAt: null, tokenDeadAt: null } as const;
    const { count } = await tx.db.connection.updateMany({
      where: whereSecretUnchanged,
      data: { ...checkTimes, ...(outcome === "ok" && healthyState) },
    });
    if (count === 0) return;
    await tx.db.connectionCheck.create({
      data: { connectionId: id, at: now, outcome: toCheckOutcome(outcome) },
      select: { id: true },
    });
    if (outcome === "ok") return;
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
    await emitWebhookEvent(tx, {
      type: "connection.token_dead",
      ownerId: row.userId,
      data: { id, channel: row.channel, label: row.label, site_ids: getLinkedSiteIds(row) },
    });
    await notifyOwner(createSystemContext(tx), row.userId, "connection_token_dead", {
      path: `/connections/${id}/reconnect`,
      params: { connection: row.label, channel: row.channel },
    });
  });
}

const toCheckOutcome = (outcome: CallOutcome) =>
  outcome === "ok" || outcome === "dead" ? outcome : "unreachable";

/** The next check follows 11 minutes after a first refusal. ±10 % at random avoids bursts. */
function getNextCheckTime({ isActive, tokenDeadAt }: ConnectionRow, outcome: CallOutcome): Date {
  if (outcome === "dead" && !tokenDeadAt) return fromNow(DEAD_CONFIRMATION_MS + MINUTE);
  const interval = isActive && outcome !== "dead" ? 6 * HOUR : DAY;
  return fromNow(interval * (0.9 + Math.random() * 0.2));
}
