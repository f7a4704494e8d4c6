import type { Context } from "@/server/core/context";
import { DAY, fromNow } from "@/server/core/time";
import { digest, isToken, newToken } from "@/server/infrastructure/secrets/tokens";
import { insertDevice, recordDeviceUse } from "../statements";

const TRUST_LIFE = 30 * DAY;

export async function trustDevice(
  ctx: Pick<Context, "sql" | "ip" | "userAgent">,
  userId: number,
): Promise<string> {
  const token = newToken("dst");
  await insertDevice(ctx, {
    userId,
    tokenHash: digest(token),
    userAgent: ctx.userAgent?.slice(0, 500) ?? null,
    ip: ctx.ip,
    expiresAt: fromNow(TRUST_LIFE),
  });
  return token;
}

/** Checks a device and records its use; the expiry does not move. */
export async function isTrustedDevice(
  ctx: Pick<Context, "sql" | "ip">,
  userId: number,
  token: string | null | undefined,
): Promise<boolean> {
  if (!token || !isToken(token, "dst")) return false;
  const rows = await recordDeviceUse(ctx, { userId, tokenHash: digest(token), ip: ctx.ip });
  return rows.length === 1;
}
