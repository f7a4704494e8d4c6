import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, invalidField } from "@/server/core/errors";
import { rejectStaleChange } from "@/server/core/stale";
import { formatText } from "@/server/core/texts";
import { fromNow, MINUTE } from "@/server/core/time";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import { lockOwnAccount, withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { isUniqueViolation } from "@/server/infrastructure/database/error-kinds";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import type {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  renewWebhookSecret,
  updateWebhook,
} from "../contract";
import { ENDPOINT_COLUMNS, toEndpoint } from "../dto";
import { MAX_WEBHOOKS, SECRET_GRACE_MINUTES } from "../policy";
import { cancelWaitingDeliveries, makeWaitingDeliveriesDue } from "../statements";
import { wakeDispatcher } from "./dispatcher";
import { lockOwnEndpoint, requireOwnEndpoint, requireValidUrl } from "./find";
import { createWebhookSecret } from "./sign";

export async function listEndpoints({ db, actor }: Context<UserActor>): Promise<Output<typeof listWebhooks>> {
  const rows = await db.webhookEndpoint.findMany({
    where: { userId: actor.id },
    orderBy: { id: "asc" },
    select: ENDPOINT_COLUMNS,
  });
  const webhooks = rows.map(toEndpoint);
  return { success: true, webhooks, data: webhooks, count: webhooks.length };
}

export async function getEndpoint(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof getWebhook>,
): Promise<Output<typeof getWebhook>> {
  return { success: true, webhook: toEndpoint(await requireOwnEndpoint(ctx, id)) };
}

export async function createEndpoint(
  ctx: Context<UserActor>,
  { body }: Input<typeof createWebhook>,
): Promise<Output<typeof createWebhook>> {
  const { isAgent, userId } = ctx.actor.scope;
  if (isAgent) throw createError("forbidden");
  const url = requireValidUrl(body.url);
  const { secret, ...sealedSecret } = createWebhookSecret();
  return mapDuplicateUrl(
    withIdempotency(ctx, async (tx) => {
      await lockOwnAccount(tx);
      if ((await tx.db.webhookEndpoint.count({ where: { userId } })) >= MAX_WEBHOOKS)
        throw createError("webhooks_full", { params: { max: MAX_WEBHOOKS } });
      const row = await tx.db.webhookEndpoint.create({
        data: {
          userId,
          url,
          urlHash: hashSecret(url),
          events: removeDuplicates(body.events),
          description: body.description ?? null,
          ...sealedSecret,
        },
        select: ENDPOINT_COLUMNS,
      });
      await audit(tx, {
        action: "webhook.created",
        object: { type: "WebhookEndpoint", id: row.id },
        details: { host: new URL(url).host },
      });
      await recordAddition(tx, userId, { kind: "webhook", name: new URL(url).host });
      return {
        success: true as const,
        message: formatText(ctx.locale, "responses.webhook_created"),
        webhook: toEndpoint(row),
        secret,
      };
    }),
  );
}

/** State of an endpoint whose failures are over. */
export const RESET_FAILURE_FIELDS = { failures: 0, failingSince: null, toldAt: null, pausedUntil: null };

/** Switching on (even if on) or a new URL resets failures and pause. A new URL makes deliveries due. */
export async function updateEndpoint(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof updateWebhook>,
): Promise<Output<typeof updateWebhook>> {
  const row = await mapDuplicateUrl(
    withLockedOwnAccount(ctx, async (tx) => {
      const storedEndpoint = toEndpoint(await lockOwnEndpoint(tx, id));
      const current = {
        url: storedEndpoint.url,
        events: storedEndpoint.events,
        description: storedEndpoint.description,
        is_active: storedEndpoint.is_active,
      };
      const newSettings = {
        url: body.url ? requireValidUrl(body.url) : storedEndpoint.url,
        events: body.events ? removeDuplicates(body.events) : storedEndpoint.events,
        description: body.description === undefined ? storedEndpoint.description : body.description,
        is_active: body.is_active ?? storedEndpoint.is_active,
      };
      rejectStaleChange(body.expected, { current, requested: newSettings });
      const [shouldEnable, shouldDisable] = [
        body.is_active === true,
        !newSettings.is_active && storedEndpoint.is_active,
      ];
      const isUrlChanged = newSettings.url !== storedEndpoint.url;
      const updatedRow = await tx.db.webhookEndpoint.update({
        where: { id },
        data: {
          url: newSettings.url,
          urlHash: hashSecret(newSettings.url),
          events: newSettings.events,
          description: newSettings.description,
          ...(shouldDisable && { disabledReason: "person" }),
          ...(shouldEnable && { disabledReason: null }),
          ...((shouldEnable || isUrlChanged) && RESET_FAILURE_FIELDS),
          ...(isUrlChanged && { changedAt: new Date() }),
        },
        select: ENDPOINT_COLUMNS,
      });
      if (shouldDisable) await cancelWaitingDeliveries(tx, { endpointId: id });
      if (isUrlChanged) await makeWaitingDeliveriesDue(tx, { endpointId: id });
      if (shouldEnable || isUrlChanged) await wakeDispatcher(tx);
      if (isUrlChanged)
        await recordAddition(tx, tx.actor.id, { kind: "webhook", name: new URL(newSettings.url).host });
      await audit(tx, {
        action: "webhook.changed",
        object: { type: "WebhookEndpoint", id },
        details: { host: new URL(newSettings.url).host, is_active: newSettings.is_active },
      });
      return updatedRow;
    }),
  );
  return {
    success: true,
    message: formatText(ctx.locale, "responses.webhook_saved"),
    webhook: toEndpoint(row),
  };
}

export async function deleteEndpoint(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof deleteWebhook>,
): Promise<Output<typeof deleteWebhook>> {
  await withLockedOwnAccount(ctx, async (tx) => {
    await lockOwnEndpoint(tx, id);
    await tx.db.webhookEndpoint.delete({ where: { id }, select: { id: true } });
    await audit(tx, { action: "webhook.deleted", object: { type: "WebhookEndpoint", id } });
  });
  return { success: true, message: formatText(ctx.locale, "responses.webhook_deleted") };
}

/** Replaces the secret. The previous one also signs for the grace period; older ones do not. */
export async function renewSecret(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof renewWebhookSecret>,
): Promise<Output<typeof renewWebhookSecret>> {
  await requireOwnEndpoint(ctx, id);
  await requireProof(ctx);
  const { secret, ...sealedSecret } = createWebhookSecret();
  const graceMinutes = body.grace_minutes ?? SECRET_GRACE_MINUTES.default;
  const row = await withLockedOwnAccount(ctx, async (tx) => {
    const { secretSealed } = await lockOwnEndpoint(tx, id);
    const oldSecret =
      graceMinutes > 0
        ? { oldSecretSealed: secretSealed, oldSecretUntil: fromNow(graceMinutes * MINUTE) }
        : { oldSecretSealed: null, oldSecretUntil: null };
    const updatedRow = await tx.db.webhookEndpoint.update({
      where: { id },
      data: { ...sealedSecret, ...oldSecret, changedAt: new Date() },
      select: ENDPOINT_COLUMNS,
    });
    await audit(tx, {
      action: "webhook.secret_renewed",
      object: { type: "WebhookEndpoint", id },
      details: { grace_minutes: graceMinutes },
    });
    return updatedRow;
  });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.webhook_secret_renewed"),
    webhook: toEndpoint(row),
    secret,
  };
}

function removeDuplicates<T>(events: readonly T[] | null | undefined): T[] {
  return [...new Set(events ?? [])];
}

function mapDuplicateUrl<T>(result: Promise<T>): Promise<T> {
  return result.catch((error: unknown) => {
    throw isUniqueViolation(error, "url_hash") ? invalidField("url", "webhook_taken") : error;
  });
}
