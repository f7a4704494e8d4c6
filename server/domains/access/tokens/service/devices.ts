import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createInaccessibleError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import type { forgetTrustedDevice, listTrustedDevices } from "../contract";

export async function listOwnDevices({
  actor,
  db,
}: Context<UserActor>): Promise<Output<typeof listTrustedDevices>> {
  const rows = await db.trustedDevice.findMany({
    where: { userId: actor.id, expiresAt: { gt: new Date() } },
    orderBy: { lastUsedAt: "desc" },
    take: 200,
    select: { id: true, ip: true, userAgent: true, createdAt: true, lastUsedAt: true, expiresAt: true },
  });
  const devices = rows.map((row) => ({
    id: row.id,
    ip: row.ip,
    user_agent: row.userAgent,
    created_at: toIsoMicros(row.createdAt),
    last_used_at: toIsoMicros(row.lastUsedAt),
    expires_at: toIsoMicros(row.expiresAt),
  }));
  return { success: true, devices, data: devices, count: devices.length };
}

export async function forgetOwnDevice(
  ctx: Context<UserActor>,
  { params }: Input<typeof forgetTrustedDevice>,
): Promise<Output<typeof forgetTrustedDevice>> {
  const { id } = params;
  const isDeleted = await withLockedOwnAccount(ctx, async (tx) => {
    const { count } = await tx.db.trustedDevice.deleteMany({ where: { id, userId: ctx.actor.id } });
    if (count > 0)
      await audit(tx, { action: "device.forgotten", object: { type: "User", id: ctx.actor.id } });
    return count > 0;
  });
  if (!isDeleted)
    throw createInaccessibleError(
      await ctx.db.trustedDevice.findUnique({ where: { id }, select: { id: true } }),
      "TrustedDevice",
      id,
    );
  return { success: true, message: formatText(ctx.locale, "responses.device_forgotten") };
}
