import type { Context } from "@/server/core/context";
import { DAY, fromNow } from "@/server/core/time";
import { createToken, hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import { insertTrustedDevice, recordTrustedDeviceUse } from "../statements";

const TRUSTED_DEVICE_LIFETIME_MS = 30 * DAY;

export async function createTrustedDeviceToken(
  ctx: Pick<Context, "sql" | "ip" | "userAgent">,
  userId: number,
): Promise<string> {
  const token = createToken("dst");
  await insertTrustedDevice(ctx, {
    userId,
    tokenHash: hashSecret(token),
    userAgent: ctx.userAgent?.slice(0, 500) ?? null,
    ip: ctx.ip,
    expiresAt: fromNow(TRUSTED_DEVICE_LIFETIME_MS),
  });
  return token;
}

/** Checks a device and records its use; the expiry does not move. */
export async function verifyTrustedDevice(
  ctx: Pick<Context, "sql" | "ip">,
  userId: number,
  token: string | null | undefined,
): Promise<boolean> {
  if (!token || !isWellFormedToken(token, "dst")) return false;
  const rows = await recordTrustedDeviceUse(ctx, { userId, tokenHash: hashSecret(token), ip: ctx.ip });
  return rows.length === 1;
}
