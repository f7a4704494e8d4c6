import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, invalid, invalidCounted, refuse } from "@/server/core/errors";
import { truncateGraphemes } from "@/server/core/graphemes";
import { text } from "@/server/core/texts";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { holdSite } from "@/server/domains/sites/sites/service/manageable";
import { isUniqueViolation } from "@/server/infrastructure/database/failure";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { createConnection } from "../contract";
import { createInstance } from "../evolution.provider";
import { CONNECT_FIELDS, CONNECTABLE } from "../policy";
import { lockProviderAccount } from "../statements";
import { newHook, recordRefusal, requireOk, unrecordedCall } from "./hook";
import type { Outcome, Reply, Target } from "./provider";
import { CONNECTION_PURPOSE, checkerOf, lastFourOf, providerOf } from "./providers";
import { connectionRow, ROW } from "./rows";
import { targetFromRequest } from "./target";

type Body = Input<typeof createConnection>["body"];

/**
 * Connects a channel: checks the credentials, inserts the row, sets our webhook. If that fails, deletes the
 * row, audits it and throws `connection_refused`.
 */
export async function connect(
  ctx: Context<UserActor>,
  { body }: Input<typeof createConnection>,
): Promise<Output<typeof createConnection>> {
  if (ctx.actor.scope.onlySite !== null) throw refuse("forbidden");
  const { channel } = body;
  const target = targetFromRequest(body);
  const provider = providerOf(channel);
  const checked = await checkerOf(channel)?.check(target, unrecordedCall());
  const needsInstance = channel === "whatsapp_qr" && checked?.outcome === "gone";
  if (checked && !needsInstance) requireOk(checked.outcome, checked.reason);
  if (checked && !needsInstance) requireMatchingTarget(target, checked);
  const { url, hookHash } = newHook(channel);
  const id = await store(ctx, body, target, {
    label: body.label ?? labelOf(target, checked),
    hookHash: provider ? hookHash : null,
    lastOkAt: checked ? new Date() : null,
  });
  if (provider)
    await setHook(ctx, { id, channel }, () =>
      needsInstance ? create(ctx, id, target, url) : provider.set(target, url, unrecordedCall()),
    );
  const row = await ctx.db.connection.findUniqueOrThrow({ where: { id }, select: ROW });
  return {
    success: true,
    message: text(ctx.locale, "responses.connection_made"),
    connection: connectionRow(row, ctx.actor.scope),
  };
}

/** Refuses a token of another bot or account than the named one. */
export function requireMatchingTarget({ channel, remoteKey }: Target, { body }: Reply): void {
  const reportedId =
    channel === "telegram"
      ? (body.result as { id?: unknown } | undefined)?.id
      : channel === "instagram"
        ? body.user_id
        : remoteKey;
  if (String(reportedId) !== remoteKey)
    throw new AppError("connection_refused", { reason: "token_refused" }, { countsAgainstLimit: true });
}

function labelOf({ channel, config }: Target, checked: Reply | undefined): string | undefined {
  const body = checked?.body ?? {};
  const { username } = (body.result ?? {}) as { username?: unknown };
  const name = {
    telegram: username && `@${username}`,
    whatsapp: body.display_phone_number,
    messenger: body.name,
    instagram: body.username && `@${body.username}`,
    whatsapp_qr: config.instance,
    email: config.user,
    sms: body.phone_number,
    voice: body.phone_number,
  }[channel as string];
  return typeof name === "string" && name ? truncateGraphemes(name, 120) : undefined;
}

/** Inserts the row. If the number is taken, the error does not reveal by which account. */
async function store(
  ctx: Context<UserActor>,
  { channel, site_ids: siteIds }: Body,
  { remoteKey, accountKey, config, secret }: Target,
  {
    label,
    ...columns
  }: { label: string | undefined; hookHash: Uint8Array<ArrayBuffer> | null; lastOkAt: Date | null },
): Promise<number> {
  const fields: { remote?: string; secret?: string } = CONNECT_FIELDS[channel];
  return withOwnAccount(ctx, async (tx) => {
    const { id: userId } = tx.actor;
    await requireSites(tx, userId, siteIds ?? []);
    if (accountKey) await requireNoSharedCleanup(tx, { channel, accountKey });
    const { id } = await tx.db.connection.create({
      data: {
        userId,
        channel,
        connectionType: CONNECTABLE[channel],
        label:
          label ??
          (channel === "web_chat" ? await siteName(tx, remoteKey) : truncateGraphemes(remoteKey, 120)),
        remoteKey,
        accountKey,
        config,
        ...columns,
        ...(secret && {
          secretSealed: seal(secret, CONNECTION_PURPOSE),
          secretLastFour: lastFourOf(channel, secret),
        }),
        health: columns.lastOkAt ? "ok" : "unknown",
        checkedAt: columns.lastOkAt,
        sites: { create: [...new Set(siteIds ?? [])].map((siteId) => ({ siteId })) },
      },
      select: { id: true },
    });
    await audit(tx, {
      action: "connection.created",
      object: { type: "Connection", id },
      details: { channel },
    });
    await recordAddition(tx, userId, { kind: "connection", name: label ?? channel });
    return id;
  }).catch((error: unknown) => {
    const isDuplicate = isUniqueViolation(error, "channel_remote_key");
    throw isDuplicate
      ? invalidCounted(fields.remote ?? fields.secret ?? "site_ids", "connection_taken")
      : error;
  });
}

async function siteName({ db }: Pick<DbAccess, "db">, id: string): Promise<string> {
  const { name } = await db.site.findUniqueOrThrow({ where: { id: Number(id) }, select: { name: true } });
  return truncateGraphemes(name, 120);
}

/** Refuses a new connection while account-wide clean-up calls are due: they would cut it off. */
export async function requireNoSharedCleanup(
  tx: DbAccess,
  { channel, accountKey }: { channel: Target["channel"]; accountKey: string },
): Promise<void> {
  await lockProviderAccount(tx, { channel, accountKey });
  const due = await tx.db.connection.findFirst({
    where: { channel, accountKey, sharedDue: true },
    select: { id: true },
  });
  if (due) throw refuse("connection_in_cleanup");
}

/** Requires existing sites of the owner and prevents their deletion until the transaction ends. */
export async function requireSites(tx: DbAccess, userId: number, siteIds: number[]): Promise<void> {
  for (const siteId of [...new Set(siteIds)].sort((a, b) => a - b))
    if (!(await holdSite(tx, siteId))) throw invalid("site_ids", "site_unknown");
  const ownCount = await tx.db.site.count({ where: { id: { in: siteIds }, userId, deletedAt: null } });
  if (ownCount !== new Set(siteIds).size) throw invalid("site_ids", "site_unknown");
}

async function setHook(
  ctx: Context<UserActor>,
  { id, channel }: { id: number; channel: Target["channel"] },
  set: () => Promise<Outcome>,
): Promise<void> {
  const outcome = await set();
  if (outcome !== "ok")
    await withTransaction(ctx, async (tx) => {
      const { count } = await tx.db.connection.deleteMany({ where: { id } });
      if (count === 1) await recordRefusal(tx, { id, channel, outcome });
    });
  requireOk(outcome);
}

/** Evolution gives a new instance its own key; we store it instead of the server's. */
async function create(ctx: Context<UserActor>, id: number, target: Target, url: string): Promise<Outcome> {
  const { outcome, body } = await createInstance(target, url, unrecordedCall());
  const key = typeof body.hash === "string" ? body.hash : undefined;
  if (outcome === "ok" && key)
    await ctx.db.connection.updateMany({
      where: { id },
      data: { secretSealed: seal(key, CONNECTION_PURPOSE), secretLastFour: key.slice(-4) },
    });
  return outcome;
}
