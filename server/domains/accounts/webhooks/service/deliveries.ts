import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createInaccessibleError, createNotFoundError, invalidField } from "@/server/core/errors";
import { parsePage } from "@/server/core/list";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { getSetting } from "@/server/infrastructure/settings";
import type {
  listWebhookDeliveries,
  replayFailedDeliveries,
  replayWebhookDelivery,
  testWebhook,
} from "../contract";
import { DELIVERY_COLUMNS, toDelivery } from "../dto";
import { replayOneDelivery, replayFailedDeliveries as replayRows } from "../statements";
import { wakeDispatcher } from "./dispatcher";
import { RESET_FAILURE_FIELDS } from "./endpoints";
import { buildEventBody, newEventId } from "./events";
import { lockOwnEndpoint, requireActiveEndpoint, requireOwnEndpoint } from "./find";
import { sendAttempt, TIMEOUTS_MS } from "./send";

export async function listDeliveries(
  ctx: Context<UserActor>,
  { params: { id }, query }: Input<typeof listWebhookDeliveries>,
): Promise<Output<typeof listWebhookDeliveries>> {
  await requireOwnEndpoint(ctx, id);
  const where = {
    endpointId: id,
    ...(query.state && { state: query.state }),
    ...(query.type && { event: { type: query.type } }),
  };
  const { range, ...page } = parsePage(query);
  const [kept_days, total, deliveryRows] = await Promise.all([
    getSetting(ctx, "webhook_retention_days"),
    ctx.db.webhookDelivery.count({ where }),
    ctx.db.webhookDelivery.findMany({ where, ...range, orderBy: { id: "desc" }, select: DELIVERY_COLUMNS }),
  ]);
  const data = deliveryRows.map(toDelivery);
  return { success: true, deliveries: data, data, count: data.length, kept_days, meta: { ...page, total } };
}

/** Sends a test event immediately, even to an endpoint that is switched off. Stores no delivery. */
export async function sendTestEvent(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof testWebhook>,
): Promise<Output<typeof testWebhook>> {
  const row = await requireOwnEndpoint(ctx, id);
  const body = buildEventBody("webhook.test", { id }, new Date());
  const { status, failure, durationMs } = await sendAttempt(
    { ...row, eventId: newEventId(), body },
    TIMEOUTS_MS.test,
  );
  // Only if the URL was not changed during the attempt.
  if (failure === null)
    await ctx.db.webhookEndpoint.updateMany({
      where: { id, url: row.url },
      data: { ...RESET_FAILURE_FIELDS, lastOkAt: new Date() },
    });
  return {
    success: true,
    delivered: failure === null,
    status_code: status,
    duration_ms: durationMs,
    error: failure,
  };
}

export async function replayDelivery(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof replayWebhookDelivery>,
): Promise<Output<typeof replayWebhookDelivery>> {
  const delivery = await ctx.db.webhookDelivery.findUnique({
    where: { id },
    select: { endpointId: true, endpoint: { select: { userId: true } } },
  });
  if (delivery?.endpoint.userId !== ctx.actor.id)
    throw createInaccessibleError(delivery, "WebhookDelivery", id);
  const row = await withTransaction(ctx, async (tx) => {
    requireActiveEndpoint(await lockOwnEndpoint(tx, delivery.endpointId));
    const [replayedRow] = await replayOneDelivery(tx, { id });
    // Deleted by retention since the first read.
    if (!replayedRow) throw createNotFoundError("WebhookDelivery", id);
    await clearPause(tx, delivery.endpointId);
    await audit(tx, {
      action: "webhook.replayed",
      object: { type: "WebhookEndpoint", id: delivery.endpointId },
    });
    await wakeDispatcher(tx);
    return tx.db.webhookDelivery.findUniqueOrThrow({ where: { id }, select: DELIVERY_COLUMNS });
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.webhook_replayed"),
    delivery: toDelivery(row),
  };
}

export async function replayAllFailed(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof replayFailedDeliveries>,
): Promise<Output<typeof replayFailedDeliveries>> {
  const since = new Date(body.since);
  if (Number.isNaN(since.getTime())) throw invalidField("since", "date");
  const count = await withTransaction(ctx, async (tx) => {
    requireActiveEndpoint(await lockOwnEndpoint(tx, id));
    const [result] = await replayRows(tx, { endpointId: id, since });
    if (result!.count > 0) await clearPause(tx, id);
    await audit(tx, {
      action: "webhook.replayed",
      object: { type: "WebhookEndpoint", id },
      details: { deliveries: result!.count },
    });
    await wakeDispatcher(tx);
    return result!.count;
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.webhook_replayed_all", { count }),
    count,
  };
}

async function clearPause({ db }: Pick<DbAccess, "db">, id: number): Promise<void> {
  await db.webhookEndpoint.update({ where: { id }, data: { pausedUntil: null }, select: { id: true } });
}
