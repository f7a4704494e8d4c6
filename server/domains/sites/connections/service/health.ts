import type { Context, UserActor } from "@/server/core/context";
import { systemContext } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { inaccessibleRecord } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { DAY, fromNow, HOUR, MINUTE } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { emit } from "@/server/domains/accounts/webhooks/service/events";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import type { checkConnection } from "../contract";
import { mayManageConnection } from "../policy";
import { lineageOf, siteIdsOf } from "./find";
import { unrecordedCall } from "./hook";
import type { Outcome } from "./provider";
import { checkerOf, targetOf } from "./providers";
import { connectionRow, ROW, type RowOf } from "./rows";

/** Minimum time between the two refusals that make a token dead. */
const CONFIRM_AFTER = 10 * MINUTE;

/** Returns a connection that the caller manages. Throws 404 if it does not exist, 403 if they do not. */
export async function requireConnection({ db, actor }: Context<UserActor>, id: number): Promise<RowOf> {
  const row = await db.connection.findUnique({ where: { id }, select: ROW });
  if (!row || !mayManageConnection(actor.scope, lineageOf(row)))
    throw inaccessibleRecord(row, "Connection", id);
  return row;
}

export async function check(
  ctx: Context<UserActor>,
  { params }: Input<typeof checkConnection>,
): Promise<Output<typeof checkConnection>> {
  await requireConnection(ctx, params.id);
  await checkHealth(params.id);
  const row = await requireConnection(ctx, params.id);
  return {
    success: true,
    message: text(ctx.locale, "responses.connection_checked"),
    connection: connectionRow(row, ctx.actor.scope),
  };
}

export async function checkHealth(id: number): Promise<void> {
  const row = await withoutTransaction().db.connection.findUnique({
    where: { id, cleanup: { not: "running" } },
    select: ROW,
  });
  const checker = row && checkerOf(row.channel);
  if (!row || !checker) return;
  const { outcome } = await checker.check(targetOf(row), unrecordedCall());
  // Skips the row if the secret was replaced during the check.
  const unchangedRow = { id, secretSealed: row.secretSealed };
  await inTransaction(async (tx) => {
    const now = new Date();
    const checked = { checkedAt: now, nextCheckAt: nextCheck(row, outcome) };
    if (outcome === "ok")
      return void (await tx.db.connection.updateMany({
        where: unchangedRow,
        data: { ...checked, health: "ok", lastOkAt: now, deadSeenAt: null, tokenDeadAt: null },
      }));
    await tx.db.connection.updateMany({ where: unchangedRow, data: checked });
    if (outcome !== "dead")
      return void (await tx.db.connection.updateMany({
        where: { ...unchangedRow, tokenDeadAt: null },
        data: { health: "unreachable" },
      }));
    const { count: first } = await tx.db.connection.updateMany({
      where: { ...unchangedRow, deadSeenAt: null },
      data: { deadSeenAt: now },
    });
    if (first > 0) return;
    const { count: second } = await tx.db.connection.updateMany({
      where: { ...unchangedRow, tokenDeadAt: null, deadSeenAt: { lte: fromNow(-CONFIRM_AFTER) } },
      data: { health: "dead", tokenDeadAt: now },
    });
    if (second === 0) return;
    await audit(systemContext(tx), {
      action: "connection.token_dead",
      object: { type: "Connection", id },
      details: { channel: row.channel },
    });
    await emit(tx, {
      type: "connection.token_dead",
      ownerId: row.userId,
      data: { id, channel: row.channel, label: row.label, site_ids: siteIdsOf(row) },
    });
    await notifyOwner(systemContext(tx), row.userId, "connection_token_dead", {
      path: "/connections",
      params: { connection: row.label, channel: row.channel },
    });
  });
}

/** Every six hours in use, else daily; soon after a first refusal. Spread by 10 % against bursts. */
function nextCheck({ isActive, tokenDeadAt }: RowOf, outcome: Outcome): Date {
  if (outcome === "dead" && !tokenDeadAt) return fromNow(CONFIRM_AFTER + MINUTE);
  const interval = isActive && outcome !== "dead" ? 6 * HOUR : DAY;
  return fromNow(interval * (0.9 + Math.random() * 0.2));
}
