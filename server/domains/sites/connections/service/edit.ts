import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, invalidField } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { updateConnection } from "../contract";
import { lockConnection } from "../statements";
import { addPublicAddress, requireMatchingTarget, requireNoSharedCleanup, requireOwnSites } from "./connect";
import { requireManageableConnection } from "./health";
import {
  CONNECTION_SEAL_PURPOSE,
  getCredentialChecker,
  getProvider,
  getSecretLastFour,
  toProviderTarget,
} from "./provider-registry";
import { type ConnectionRow, toConnectionOutput } from "./rows";
import { requirePrintableSecret } from "./target";
import {
  auditRefusal,
  createUnloggedProviderCaller,
  createWebhookUrl,
  requireAcceptedByProvider,
} from "./webhook";

type Body = Input<typeof updateConnection>["body"];

/** Sets our webhook again for a new secret or at switch-on. If that fails, switches the connection off. */
export async function editConnection(
  ctx: Context<UserActor>,
  { params: { id }, body: input }: Input<typeof updateConnection>,
): Promise<Output<typeof updateConnection>> {
  const currentConnection = await requireManageableConnection(ctx, id);
  // Mailbox passwords may start or end with spaces; other secrets may not.
  const secret = currentConnection.channel === "email" ? input.secret : input.secret?.trim();
  const body: Body = { ...input, ...(input.secret != null && { secret }) };
  const provider = getProvider(currentConnection.channel);
  const target = { ...toProviderTarget(currentConnection), ...(body.secret && { secret: body.secret }) };
  let config = target.config;
  if (body.secret) {
    const checker = getCredentialChecker(currentConnection.channel);
    if (!checker) throw invalidField("secret", "invalid");
    requirePrintableSecret(currentConnection.channel, body.secret);
    const checkReply = await checker.checkCredentials(target, createUnloggedProviderCaller());
    requireAcceptedByProvider(checkReply.outcome, checkReply.reason);
    requireMatchingTarget(target, checkReply);
    config = addPublicAddress(target, checkReply);
  }
  const { url, hookHash } = createWebhookUrl(currentConnection.channel);
  const needsWebhook = await withLockedOwnAccount(ctx, (tx) =>
    updateConnectionRow(tx, id, body, { config, hookHash }),
  );
  if (needsWebhook && provider) {
    const outcome = await provider.setWebhook(target, url, createUnloggedProviderCaller());
    if (outcome !== "ok")
      await withTransaction(ctx, async (tx) => {
        const where = { id, hookHash };
        const { count } = await tx.db.connection.updateMany({ where, data: { isActive: false } });
        if (count === 1) await auditRefusal(tx, { id, channel: currentConnection.channel, outcome });
      });
    requireAcceptedByProvider(outcome);
  }
  const row = await requireManageableConnection(ctx, id);
  return {
    success: true,
    message: formatText(ctx.locale, "responses.connection_saved"),
    connection: toConnectionOutput(row, ctx.actor.scope),
  };
}

/** Returns true if our webhook must be set again. */
async function updateConnectionRow(
  tx: Context<UserActor>,
  id: number,
  body: Body,
  { config, hookHash }: { config: Record<string, string>; hookHash: Uint8Array<ArrayBuffer> },
): Promise<boolean> {
  await lockConnection(tx, { connectionId: id });
  const row = await requireManageableConnection(tx, id);
  const isSwitchingOn = body.is_active === true && !row.isActive;
  const siteIds = body.site_ids ?? undefined;
  if (row.cleanup === "running" && (isSwitchingOn || siteIds)) throw createError("connection_in_cleanup");
  // With `sharedDue`, the row would block itself: it is the last connection of its provider account.
  if (isSwitchingOn && row.accountKey && !row.sharedDue)
    await requireNoSharedCleanup(tx, { channel: row.channel, accountKey: row.accountKey });
  if (siteIds) await linkSites(tx, row, siteIds);
  if (isSwitchingOn && row.cleanup === "failed") await closeFailedCleanup(tx, id);
  const needsWebhook = Boolean(getProvider(row.channel)) && (isSwitchingOn || Boolean(body.secret));
  await tx.db.connection.update({
    where: { id },
    data: {
      ...(body.label != null && { label: body.label }),
      ...(body.is_active != null && { isActive: body.is_active }),
      ...(isSwitchingOn && { cleanup: "none", sharedDue: false }),
      ...(needsWebhook && { hookHash }),
      ...(body.secret && {
        config,
        secretSealed: seal(body.secret, CONNECTION_SEAL_PURPOSE),
        secretLastFour: getSecretLastFour(row.channel, body.secret),
        health: "ok",
        deadSeenAt: null,
        tokenDeadAt: null,
        lastOkAt: new Date(),
      }),
    },
    select: { id: true },
  });
  if (body.secret)
    await tx.db.connectionCheck.create({ data: { connectionId: id, outcome: "ok" }, select: { id: true } });
  await audit(tx, {
    action: "connection.changed",
    object: { type: "Connection", id },
    details: { fields: Object.keys(body).sort().join(",") },
  });
  return needsWebhook;
}

async function linkSites(
  tx: Context<UserActor>,
  { id, userId, channel }: ConnectionRow,
  siteIds: number[],
): Promise<void> {
  if (channel === "web_chat") throw invalidField("site_ids", "site_unknown");
  await requireOwnSites(tx, userId, siteIds);
  await tx.db.connectionSite.deleteMany({ where: { connectionId: id, siteId: { notIn: siteIds } } });
  await tx.db.connectionSite.createMany({
    data: [...new Set(siteIds)].map((siteId) => ({ connectionId: id, siteId })),
    skipDuplicates: true,
  });
}

async function closeFailedCleanup(tx: Context<UserActor>, connectionId: number): Promise<void> {
  await tx.db.cleanupItem.updateMany({
    where: { connectionId, state: "failed" },
    data: { state: "refused", reason: "in_use", nextAt: null, finishedAt: new Date() },
  });
}
