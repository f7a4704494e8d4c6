import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalidField, refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { updateConnection } from "../contract";
import { lockConnection } from "../statements";
import { requireMatchingTarget, requireNoSharedCleanup, requireSites } from "./connect";
import { requireConnection } from "./health";
import { CONNECTION_PURPOSE, checkerOf, lastFourOf, providerOf, targetOf } from "./providers";
import { type ConnectionRow, toConnectionOutput } from "./rows";
import { requirePrintable } from "./target";
import { createUnrecordedCall, createWebhook, recordRefusal, requireAccepted } from "./webhook";

type Body = Input<typeof updateConnection>["body"];

/** Sets our webhook again for a new secret or when switched on. If that fails, switches off. */
export async function editConnection(
  ctx: Context<UserActor>,
  { params: { id }, body: input }: Input<typeof updateConnection>,
): Promise<Output<typeof updateConnection>> {
  const current = await requireConnection(ctx, id);
  // Mailbox passwords may start or end with spaces; other secrets may not.
  const secret = current.channel === "email" ? input.secret : input.secret?.trim();
  const body: Body = { ...input, ...(input.secret != null && { secret }) };
  const provider = providerOf(current.channel);
  const target = { ...targetOf(current), ...(body.secret && { secret: body.secret }) };
  if (body.secret) {
    const checker = checkerOf(current.channel);
    if (!checker) throw invalidField("secret", "invalid");
    requirePrintable(current.channel, body.secret);
    const checkReply = await checker.checkCredentials(target, createUnrecordedCall());
    requireAccepted(checkReply.outcome, checkReply.reason);
    requireMatchingTarget(target, checkReply);
  }
  const { url, hookHash } = createWebhook(current.channel);
  const needsWebhook = await withOwnAccount(ctx, (tx) => updateRow(tx, id, body, { hookHash }));
  if (needsWebhook && provider) {
    const outcome = await provider.setWebhook(target, url, createUnrecordedCall());
    if (outcome !== "ok")
      await withTransaction(ctx, async (tx) => {
        const where = { id, hookHash };
        const { count } = await tx.db.connection.updateMany({ where, data: { isActive: false } });
        if (count === 1) await recordRefusal(tx, { id, channel: current.channel, outcome });
      });
    requireAccepted(outcome);
  }
  const row = await requireConnection(ctx, id);
  return {
    success: true,
    message: text(ctx.locale, "responses.connection_saved"),
    connection: toConnectionOutput(row, ctx.actor.scope),
  };
}

async function updateRow(
  tx: Context<UserActor>,
  id: number,
  body: Body,
  { hookHash }: { hookHash: Uint8Array<ArrayBuffer> },
): Promise<boolean> {
  await lockConnection(tx, { connectionId: id });
  const row = await requireConnection(tx, id);
  const isSwitchingOn = body.is_active === true && !row.isActive;
  const siteIds = body.site_ids ?? undefined;
  if (row.cleanup === "running" && (isSwitchingOn || siteIds)) throw refuse("connection_in_cleanup");
  if (isSwitchingOn && row.accountKey && !row.sharedDue)
    await requireNoSharedCleanup(tx, { channel: row.channel, accountKey: row.accountKey });
  if (siteIds) await linkSites(tx, row, siteIds);
  if (isSwitchingOn && row.cleanup === "failed") await closeFailedCleanup(tx, id);
  const needsWebhook = Boolean(providerOf(row.channel)) && (isSwitchingOn || Boolean(body.secret));
  await tx.db.connection.update({
    where: { id },
    data: {
      ...(body.label != null && { label: body.label }),
      ...(body.is_active != null && { isActive: body.is_active }),
      ...(isSwitchingOn && { cleanup: "none", sharedDue: false }),
      ...(needsWebhook && { hookHash }),
      ...(body.secret && {
        secretSealed: seal(body.secret, CONNECTION_PURPOSE),
        secretLastFour: lastFourOf(row.channel, body.secret),
        health: "ok",
        deadSeenAt: null,
        tokenDeadAt: null,
        lastOkAt: new Date(),
      }),
    },
    select: { id: true },
  });
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
  await requireSites(tx, userId, siteIds);
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
