import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { outOfReach } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import type { forgetTrustedDevice, listTrustedDevices } from "../contract";

interface DeviceRow {
  id: number;
  ip: string | null;
  user_agent: string | null;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
}

/** Devices that the caller trusted, the last used first. */
export async function list({ actor, sql }: Context<UserActor>): Promise<Answer<typeof listTrustedDevices>> {
  const rows = await sql<DeviceRow>`
    select id, ip, user_agent, created_at, last_used_at, expires_at from trusted_devices
     where user_id = ${actor.id} and expires_at > now() order by last_used_at desc limit 200`;
  const devices = rows.map((row) => ({
    ...row,
    created_at: isoMicros(row.created_at),
    last_used_at: isoMicros(row.last_used_at),
    expires_at: isoMicros(row.expires_at),
  }));
  return { success: true, devices, data: devices, count: devices.length };
}

/** Takes the trust back; the device is asked for the second factor at its next sign-in. */
export async function forget(
  ctx: Context<UserActor>,
  { params }: Input<typeof forgetTrustedDevice>,
): Promise<Answer<typeof forgetTrustedDevice>> {
  const { id } = params;
  const gone = await withTransaction(ctx, async (tx) => {
    const rows = await tx.sql`
      delete from trusted_devices where id = ${id} and user_id = ${ctx.actor.id} returning id`;
    if (rows.length > 0)
      await audit(tx, { action: "device.forgotten", object: { type: "User", id: ctx.actor.id } });
    return rows.length > 0;
  });
  if (!gone)
    throw outOfReach(
      await ctx.db.trustedDevice.findUnique({ where: { id }, select: { id: true } }),
      "TrustedDevice",
      id,
    );
  return { success: true, message: text(ctx.locale, "answers.device_forgotten") };
}
