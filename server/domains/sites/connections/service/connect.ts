import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, countedInvalidField, createError, invalidField } from "@/server/core/errors";
import { truncateGraphemes } from "@/server/core/graphemes";
import { formatText } from "@/server/core/texts";
import { recordAddition } from "@/server/domains/accounts/additions/service";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { lockSiteAgainstDeletion } from "@/server/domains/sites/sites/service/manageable";
import { isUniqueViolation } from "@/server/infrastructure/database/error-kinds";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { createConnection } from "../contract";
import { requestInstanceCreation } from "../evolution.provider";
import { CONNECTION_TYPE_BY_CHANNEL, CREDENTIAL_FIELDS_BY_CHANNEL } from "../policy";
import { lockProviderAccount } from "../statements";
import type { CallOutcome, ProviderReply, ProviderTarget } from "./provider";
import {
  CONNECTION_SEAL_PURPOSE,
  getCredentialChecker,
  getProvider,
  getSecretLastFour,
} from "./provider-registry";
import { CONNECTION_ROW_SELECT, toConnectionOutput } from "./rows";
import { parseProviderTarget } from "./target";
import {
  auditRefusal,
  createUnloggedProviderCaller,
  createWebhookUrl,
  requireAcceptedByProvider,
} from "./webhook";

type Body = Input<typeof createConnection>["body"];

/** If our webhook cannot be set, deletes the row, audits the refusal and throws `connection_refused`. */
export async function connectChannel(
  ctx: Context<UserActor>,
  { body }: Input<typeof createConnection>,
): Promise<Output<typeof createConnection>> {
  if (ctx.actor.scope.onlySiteId !== null) throw createError("forbidden");
  const { channel } = body;
  const target = parseProviderTarget(body);
  const provider = getProvider(channel);
  const checkReply = await getCredentialChecker(channel)?.checkCredentials(
    target,
    createUnloggedProviderCaller(),
  );
  const needsInstance = channel === "whatsapp_qr" && checkReply?.outcome === "gone";
  if (checkReply && !needsInstance) requireAcceptedByProvider(checkReply.outcome, checkReply.reason);
  if (checkReply && !needsInstance) requireMatchingTarget(target, checkReply);
  const { url, hookHash } = createWebhookUrl(channel);
  const id = await insertConnection(ctx, body, target, {
    label: body.label ?? getProviderLabel(target, checkReply),
    config: addPublicAddress(target, checkReply),
    hookHash: provider ? hookHash : null,
    lastOkAt: checkReply ? new Date() : null,
  });
  if (provider)
    await setWebhookOrDeleteConnection(ctx, { id, channel }, () =>
      needsInstance
        ? createInstanceAndStoreKey(ctx, id, target, url)
        : provider.setWebhook(target, url, createUnloggedProviderCaller()),
    );
  const row = await ctx.db.connection.findUniqueOrThrow({ where: { id }, select: CONNECTION_ROW_SELECT });
  return {
    success: true,
    message: formatText(ctx.locale, "responses.connection_made"),
    connection: toConnectionOutput(row, ctx.actor.scope),
  };
}

export function requireMatchingTarget({ channel, remoteKey }: ProviderTarget, { body }: ProviderReply): void {
  const reportedId =
    channel === "telegram"
      ? (body.result as { id?: unknown } | undefined)?.id
      : channel === "instagram"
        ? body.user_id
        : remoteKey;
  if (String(reportedId) !== remoteKey)
    throw new AppError("connection_refused", { reason: "other_account" }, { countsAgainstLimit: true });
}

function getProviderLabel(
  { channel, config }: ProviderTarget,
  checkReply: ProviderReply | undefined,
): string | undefined {
  const body = checkReply?.body ?? {};
  const { username } = (body.result ?? {}) as { username?: unknown };
  const providerName = {
    telegram: username && `@${username}`,
    whatsapp: body.display_phone_number,
    messenger: body.name,
    instagram: body.username && `@${body.username}`,
    whatsapp_qr: config.instance,
    email: config.user,
    sms: body.phone_number,
    voice: body.phone_number,
  }[channel as string];
  return typeof providerName === "string" && providerName ? truncateGraphemes(providerName, 120) : undefined;
}

const CHANNELS_WITH_ADDRESS: readonly string[] = ["telegram", "whatsapp", "instagram", "sms", "voice"];

/** Adds the public name or number to `config`: the label is for people and may be changed. */
export function addPublicAddress(
  target: ProviderTarget,
  checkReply: ProviderReply | undefined,
): Record<string, string> {
  const address = CHANNELS_WITH_ADDRESS.includes(target.channel) && getProviderLabel(target, checkReply);
  return address ? { ...target.config, address } : target.config;
}

/** Inserts the row. The error for a number that is connected already does not reveal to which account. */
async function insertConnection(
  ctx: Context<UserActor>,
  { channel, site_ids: siteIds }: Body,
  { remoteKey, accountKey, secret }: ProviderTarget,
  {
    label,
    ...columns
  }: {
    label: string | undefined;
    config: Record<string, string>;
    hookHash: Uint8Array<ArrayBuffer> | null;
    lastOkAt: Date | null;
  },
): Promise<number> {
  const credentialFields: { remote?: string; secret?: string } = CREDENTIAL_FIELDS_BY_CHANNEL[channel];
  return withLockedOwnAccount(ctx, async (tx) => {
    const { id: userId } = tx.actor;
    await requireOwnSites(tx, userId, siteIds ?? []);
    if (accountKey) await requireNoSharedCleanup(tx, { channel, accountKey });
    const { id } = await tx.db.connection.create({
      data: {
        userId,
        channel,
        connectionType: CONNECTION_TYPE_BY_CHANNEL[channel],
        label:
          label ??
          (channel === "web_chat" ? await getSiteName(tx, remoteKey) : truncateGraphemes(remoteKey, 120)),
        remoteKey,
        accountKey,
        ...columns,
        ...(secret && {
          secretSealed: seal(secret, CONNECTION_SEAL_PURPOSE),
          secretLastFour: getSecretLastFour(channel, secret),
        }),
        health: columns.lastOkAt ? "ok" : "unknown",
        checkedAt: columns.lastOkAt,
        sites: { create: [...new Set(siteIds ?? [])].map((siteId) => ({ siteId })) },
      },
      select: { id: true },
    });
    if (columns.lastOkAt)
      await tx.db.connectionCheck.create({
        data: { connectionId: id, at: columns.lastOkAt, outcome: "ok" },
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
      ? countedInvalidField(
          credentialFields.remote ?? credentialFields.secret ?? "site_ids",
          "connection_taken",
        )
      : error;
  });
}

async function getSiteName({ db }: Pick<DbAccess, "db">, id: string): Promise<string> {
  const { name } = await db.site.findUniqueOrThrow({ where: { id: Number(id) }, select: { name: true } });
  return truncateGraphemes(name, 120);
}

/** Throws while a clean-up is about to remove account-wide settings, which would cut off a new connection. */
export async function requireNoSharedCleanup(
  tx: DbAccess,
  { channel, accountKey }: { channel: ProviderTarget["channel"]; accountKey: string },
): Promise<void> {
  await lockProviderAccount(tx, { channel, accountKey });
  const connectionInCleanup = await tx.db.connection.findFirst({
    where: { channel, accountKey, sharedDue: true },
    select: { id: true },
  });
  if (connectionInCleanup) throw createError("connection_in_cleanup");
}

/** Requires that the sites belong to the user. Prevents their deletion until the transaction ends. */
export async function requireOwnSites(tx: DbAccess, userId: number, siteIds: number[]): Promise<void> {
  for (const siteId of [...new Set(siteIds)].sort((a, b) => a - b))
    if (!(await lockSiteAgainstDeletion(tx, siteId))) throw invalidField("site_ids", "site_unknown");
  const ownSiteCount = await tx.db.site.count({ where: { id: { in: siteIds }, userId, deletedAt: null } });
  if (ownSiteCount !== new Set(siteIds).size) throw invalidField("site_ids", "site_unknown");
}

async function setWebhookOrDeleteConnection(
  ctx: Context<UserActor>,
  { id, channel }: { id: number; channel: ProviderTarget["channel"] },
  setWebhook: () => Promise<CallOutcome>,
): Promise<void> {
  const outcome = await setWebhook();
  if (outcome !== "ok")
    await withTransaction(ctx, async (tx) => {
      const { count } = await tx.db.connection.deleteMany({ where: { id } });
      if (count === 1) await auditRefusal(tx, { id, channel, outcome });
    });
  requireAcceptedByProvider(outcome);
}

/** Creates an Evolution instance and stores its own key instead of the server's. */
async function createInstanceAndStoreKey(
  ctx: Context<UserActor>,
  id: number,
  target: ProviderTarget,
  url: string,
): Promise<CallOutcome> {
  const { outcome, body } = await requestInstanceCreation(target, url, createUnloggedProviderCaller());
  const instanceKey = typeof body.hash === "string" ? body.hash : undefined;
  if (outcome === "ok" && instanceKey)
    await ctx.db.connection.updateMany({
      where: { id },
      data: {
        secretSealed: seal(instanceKey, CONNECTION_SEAL_PURPOSE),
        secretLastFour: instanceKey.slice(-4),
      },
    });
  return outcome;
}
