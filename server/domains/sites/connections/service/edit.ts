import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalid, refuse } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { updateConnection } from "../contract";
import { lockConnection } from "../statements";
import { requireMatchingTarget, requireNoSharedCleanup, requireSites } from "./connect";
import { requireConnection } from "./health";
import { newHook, recordRefusal, requireOk, unrecordedCall } from "./hook";
import { CONNECTION_PURPOSE, checkerOf, lastFourOf, providerOf, targetOf } from "./providers";
import { connectionRow, type RowOf } from "./rows";
import { requirePrintable } from "./target";

type Body = Input<typeof updateConnection>["body"];

/**
 * Updates a connection under its lock. Checks a new secret first. Sets our webhook again for a new secret or
 * when switched on; if the provider refuses, switches the connection off.
 */
export async function edit(
  ctx: Context<UserActor>,
  { params: { id }, body: input }: Input<typeof updateConnection>,
): Promise<Output<typeof updateConnection>> {
  const before = await requireConnection(ctx, id);
  // Mailbox passwords may start or end with spaces; other secrets may not.
  const secret = before.channel === "email" ? input.secret : input.secret?.trim();
  const body: Body = { ...input, ...(input.secret != null && { secret }) };
  const provider = providerOf(before.channel);
  const target = { ...targetOf(before), ...(body.secret && { secret: body.secret }) };
  if (body.secret) {
    const checker = checkerOf(before.channel);
    if (!checker) throw invalid("secret", "invalid");
    requirePrintable(before.channel, body.secret);
    const checked = await checker.check(target, unrecordedCall());
    requireOk(checked.outcome, checked.reason);
    requireMatchingTarget(target, checked);
  }
  const { url, hookHash } = newHook(before.channel);
  const needsHook = await withOwnAccount(ctx, (tx) => change(tx, id, body, { hookHash }));
  if (needsHook && provider) {
    const outcome = await provider.set(target, url, unrecordedCall());
    if (outcome !== "ok")
      await withTransaction(ctx, async (tx) => {
        const where = { id, hookHash };
        const { count } = await tx.db.connection.updateMany({ where, data: { isActive: false } });
        if (count === 1) await recordRefusal(tx, { id, channel: before.channel, outcome });
      });
    requireOk(outcome);
  }
  const row = await requireConnection(ctx, id);
  return {
    success: true,
    message: text(ctx.locale, "responses.connection_saved"),
    connection: connectionRow(row, ctx.actor.scope),
  };
}

async function change(
  tx: Context<UserActor>,
  id: number,
  body: Body,
  { hookHash }: { hookHash: Uint8Array<ArrayBuffer> },
): Promise<boolean> {
  await lockConnection(tx, { connectionId: id });
  const row = await requireConnection(tx, id);
  const isSwitchedOn = body.is_active === true && !row.isActive;
  const siteIds = body.site_ids ?? undefined;
  if (row.cleanup === "running" && (isSwitchedOn || siteIds)) throw refuse("connection_in_cleanup");
  if (isSwitchedOn && row.accountKey && !row.sharedDue)
    await requireNoSharedCleanup(tx, { channel: row.channel, accountKey: row.accountKey });
  if (siteIds) await link(tx, row, siteIds);
  if (isSwitchedOn && row.cleanup === "failed") await closeFailedCleanup(tx, id);
  const needsHook = Boolean(providerOf(row.channel)) && (isSwitchedOn || Boolean(body.secret));
  await tx.db.connection.update({
    where: { id },
    data: {
      ...(body.label != null && { label: body.label }),
      ...(body.is_active != null && { isActive: body.is_active }),
      ...(isSwitchedOn && { cleanup: "none", sharedDue: false }),
      ...(needsHook && { hookHash }),
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
  return needsHook;
}

async function link(
  tx: Context<UserActor>,
  { id, userId, channel }: RowOf,
  siteIds: number[],
): Promise<void> {
  if (channel === "web_chat") throw invalid("site_ids", "site_unknown");
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
