import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalid, refuse } from "@/server/core/errors";
import { requireExpected } from "@/server/core/stale";
import { text } from "@/server/core/texts";
import { fromNow, MINUTE } from "@/server/core/time";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import { lockOwnAccount, withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { isUniqueViolation } from "@/server/infrastructure/database/failure";
import { digest } from "@/server/infrastructure/secrets/tokens";
import type {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  renewWebhookSecret,
  updateWebhook,
} from "../contract";
import { ENDPOINT, endpointOf } from "../dto";
import { SECRET_GRACE_MINUTES, WEBHOOKS_MAX } from "../policy";
import { cancelWaiting, makeWaitingDue } from "../statements";
import { wakeDispatcher } from "./dispatcher";
import { lockOwnEndpoint, requireAddress, requireEndpoint } from "./find";
import { newSecret } from "./sign";

export async function list({ db, actor }: Context<UserActor>): Promise<Output<typeof listWebhooks>> {
  const rows = await db.webhookEndpoint.findMany({
    where: { userId: actor.id },
    orderBy: { id: "asc" },
    select: ENDPOINT,
  });
  const webhooks = rows.map(endpointOf);
  return { success: true, webhooks, data: webhooks, count: webhooks.length };
}

export async function get(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof getWebhook>,
): Promise<Output<typeof getWebhook>> {
  return { success: true, webhook: endpointOf(await requireEndpoint(ctx, id)) };
}

/** Creates an endpoint. Agents cannot. Throws `webhooks_full`. */
export async function create(
  ctx: Context<UserActor>,
  { body }: Input<typeof createWebhook>,
): Promise<Output<typeof createWebhook>> {
  const { isAgent, userId } = ctx.actor.scope;
  if (isAgent) throw refuse("forbidden");
  const url = requireAddress(body.url);
  const { secret, ...sealed } = newSecret();
  return mapDuplicateUrl(
    withIdempotency(ctx, async (tx) => {
      await lockOwnAccount(tx);
      if ((await tx.db.webhookEndpoint.count({ where: { userId } })) >= WEBHOOKS_MAX)
        throw refuse("webhooks_full", { params: { max: WEBHOOKS_MAX } });
      const row = await tx.db.webhookEndpoint.create({
        data: {
          userId,
          url,
          urlHash: digest(url),
          events: distinct(body.events),
          description: body.description ?? null,
          ...sealed,
        },
        select: ENDPOINT,
      });
      await audit(tx, {
        action: "webhook.created",
        object: { type: "WebhookEndpoint", id: row.id },
        details: { host: new URL(url).host },
      });
      await recordAddition(tx, userId, { kind: "webhook", name: new URL(url).host });
      return {
        success: true as const,
        message: text(ctx.locale, "responses.webhook_created"),
        webhook: endpointOf(row),
        secret,
      };
    }),
  );
}

const RESET = { failures: 0, failingSince: null, toldAt: null, pausedUntil: null };

/** Switching on (even if on) or a new URL resets failures and pause; a new URL makes deliveries due. */
export async function update(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof updateWebhook>,
): Promise<Output<typeof updateWebhook>> {
  const row = await mapDuplicateUrl(
    withOwnAccount(ctx, async (tx) => {
      const before = endpointOf(await lockOwnEndpoint(tx, id));
      const current = {
        url: before.url,
        events: before.events,
        description: before.description,
        is_active: before.is_active,
      };
      const wanted = {
        url: body.url ? requireAddress(body.url) : before.url,
        events: body.events ? distinct(body.events) : before.events,
        description: body.description === undefined ? before.description : body.description,
        is_active: body.is_active ?? before.is_active,
      };
      requireExpected(body.expected, { current, wanted });
      const [turnsOn, turnsOff] = [body.is_active === true, !wanted.is_active && before.is_active];
      const isUrlChanged = wanted.url !== before.url;
      const after = await tx.db.webhookEndpoint.update({
        where: { id },
        data: {
          url: wanted.url,
          urlHash: digest(wanted.url),
          events: wanted.events,
          description: wanted.description,
          ...(turnsOff && { disabledReason: "person" }),
          ...(turnsOn && { disabledReason: null }),
          ...((turnsOn || isUrlChanged) && RESET),
          ...(isUrlChanged && { changedAt: new Date() }),
        },
        select: ENDPOINT,
      });
      if (turnsOff) await cancelWaiting(tx, { endpointId: id });
      if (isUrlChanged) await makeWaitingDue(tx, { endpointId: id });
      if (turnsOn || isUrlChanged) await wakeDispatcher(tx);
      if (isUrlChanged)
        await recordAddition(tx, tx.actor.id, { kind: "webhook", name: new URL(wanted.url).host });
      await audit(tx, {
        action: "webhook.changed",
        object: { type: "WebhookEndpoint", id },
        details: { host: new URL(wanted.url).host, is_active: wanted.is_active },
      });
      return after;
    }),
  );
  return { success: true, message: text(ctx.locale, "responses.webhook_saved"), webhook: endpointOf(row) };
}

/** Deletes an endpoint with its deliveries. Attempts in progress may still arrive. */
export async function remove(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof deleteWebhook>,
): Promise<Output<typeof deleteWebhook>> {
  await withOwnAccount(ctx, async (tx) => {
    await lockOwnEndpoint(tx, id);
    await tx.db.webhookEndpoint.delete({ where: { id }, select: { id: true } });
    await audit(tx, { action: "webhook.deleted", object: { type: "WebhookEndpoint", id } });
  });
  return { success: true, message: text(ctx.locale, "responses.webhook_deleted") };
}

/** Replaces the secret. The previous one also signs for the grace period; older ones do not. */
export async function renew(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof renewWebhookSecret>,
): Promise<Output<typeof renewWebhookSecret>> {
  await requireEndpoint(ctx, id);
  await requireProof(ctx);
  const { secret, ...sealed } = newSecret();
  const grace = body.grace_minutes ?? SECRET_GRACE_MINUTES.usual;
  const row = await withOwnAccount(ctx, async (tx) => {
    const { secretSealed } = await lockOwnEndpoint(tx, id);
    const oldSecret =
      grace > 0
        ? { oldSecretSealed: secretSealed, oldSecretUntil: fromNow(grace * MINUTE) }
        : { oldSecretSealed: null, oldSecretUntil: null };
    const after = await tx.db.webhookEndpoint.update({
      where: { id },
      data: { ...sealed, ...oldSecret, changedAt: new Date() },
      select: ENDPOINT,
    });
    await audit(tx, {
      action: "webhook.secret_renewed",
      object: { type: "WebhookEndpoint", id },
      details: { grace_minutes: grace },
    });
    return after;
  });
  return {
    success: true,
    message: text(ctx.locale, "responses.webhook_secret_renewed"),
    webhook: endpointOf(row),
    secret,
  };
}

function distinct<T>(events: readonly T[] | null | undefined): T[] {
  return [...new Set(events ?? [])];
}

/** Maps a duplicate URL to a `validation` error. */
function mapDuplicateUrl<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw isUniqueViolation(error, "url_hash") ? invalid("url", "webhook_taken") : error;
  });
}
