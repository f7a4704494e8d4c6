import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { inaccessibleRecord, invalid } from "@/server/core/errors";
import { pageOf } from "@/server/core/list";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { setting } from "@/server/infrastructure/settings";
import type {
  listWebhookDeliveries,
  replayFailedDeliveries,
  replayWebhookDelivery,
  testWebhook,
} from "../contract";
import { DELIVERY, deliveryOf } from "../dto";
import { replayOne, replayFailed as replayRows } from "../statements";
import { wakeDispatcher } from "./dispatcher";
import { bodyOf, newEventId } from "./events";
import { lockOwnEndpoint, requireActive, requireEndpoint } from "./find";
import { send, TIMEOUTS } from "./send";

export async function deliveries(
  ctx: Context<UserActor>,
  { params: { id }, query }: Input<typeof listWebhookDeliveries>,
): Promise<Output<typeof listWebhookDeliveries>> {
  await requireEndpoint(ctx, id);
  const where = {
    endpointId: id,
    ...(query.state && { state: query.state }),
    ...(query.type && { event: { type: query.type } }),
  };
  const { rows, ...page } = pageOf(query);
  const [kept_days, total, deliveryRows] = await Promise.all([
    setting(ctx, "webhook_retention_days"),
    ctx.db.webhookDelivery.count({ where }),
    ctx.db.webhookDelivery.findMany({ where, ...rows, orderBy: { id: "desc" }, select: DELIVERY }),
  ]);
  const data = deliveryRows.map(deliveryOf);
  return { success: true, deliveries: data, data, count: data.length, kept_days, meta: { ...page, total } };
}

/** Sends a test event immediately, even to an endpoint that is switched off. Stores no delivery. */
export async function test(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof testWebhook>,
): Promise<Output<typeof testWebhook>> {
  const row = await requireEndpoint(ctx, id);
  const body = bodyOf("webhook.test", { id }, new Date());
  const { status, failure, duration } = await send({ ...row, eventId: newEventId(), body }, TIMEOUTS.test);
  return {
    success: true,
    delivered: failure === null,
    status_code: status,
    duration_ms: duration,
    error: failure,
  };
}

export async function replay(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof replayWebhookDelivery>,
): Promise<Output<typeof replayWebhookDelivery>> {
  const delivery = await ctx.db.webhookDelivery.findUnique({
    where: { id },
    select: { endpointId: true, endpoint: { select: { userId: true } } },
  });
  if (delivery?.endpoint.userId !== ctx.actor.id) throw inaccessibleRecord(delivery, "WebhookDelivery", id);
  const row = await withTransaction(ctx, async (tx) => {
    requireActive(await lockOwnEndpoint(tx, delivery.endpointId));
    const [replayed] = await replayOne(tx, { id });
    // Deleted by retention since the first read.
    if (!replayed) throw inaccessibleRecord(null, "WebhookDelivery", id);
    await clearPause(tx, delivery.endpointId);
    await audit(tx, {
      action: "webhook.replayed",
      object: { type: "WebhookEndpoint", id: delivery.endpointId },
    });
    await wakeDispatcher(tx);
    return tx.db.webhookDelivery.findUniqueOrThrow({ where: { id }, select: DELIVERY });
  });
  return {
    success: true,
    message: text(ctx.locale, "responses.webhook_replayed"),
    delivery: deliveryOf(row),
  };
}

export async function replayFailed(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof replayFailedDeliveries>,
): Promise<Output<typeof replayFailedDeliveries>> {
  const since = new Date(body.since);
  if (Number.isNaN(since.getTime())) throw invalid("since", "date");
  const count = await withTransaction(ctx, async (tx) => {
    requireActive(await lockOwnEndpoint(tx, id));
    const [replayed] = await replayRows(tx, { endpointId: id, since });
    if (replayed!.count > 0) await clearPause(tx, id);
    await audit(tx, {
      action: "webhook.replayed",
      object: { type: "WebhookEndpoint", id },
      details: { deliveries: replayed!.count },
    });
    await wakeDispatcher(tx);
    return replayed!.count;
  });
  return {
    success: true,
    message: text(ctx.locale, "responses.webhook_replayed_all", { count }),
    count,
  };
}

/** A replay ignores an earlier `Retry-After`. */
async function clearPause({ db }: Pick<DbAccess, "db">, id: number): Promise<void> {
  await db.webhookEndpoint.update({ where: { id }, data: { pausedUntil: null }, select: { id: true } });
}
