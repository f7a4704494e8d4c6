import type { Context } from "@/server/core/context";
import { DAY, fromNow } from "@/server/core/time";
import { digest, isToken, newToken } from "@/server/infrastructure/secrets/tokens";

/** How long a trusted device is not asked for the second factor. */
const TRUST_LIFE = 30 * DAY;

/** Remembers the device of a finished sign-in; answers the secret that it shows the next time. */
export async function trustDevice(
  { sql, ip, userAgent }: Pick<Context, "sql" | "ip" | "userAgent">,
  userId: number,
): Promise<string> {
  const token = newToken("dst");
  await sql`
    insert into trusted_devices (user_id, token_hash, user_agent, ip, expires_at)
    values (${userId}, ${digest(token)}, ${userAgent?.slice(0, 500) ?? null}, ${ip}, ${fromNow(TRUST_LIFE)})`;
  return token;
}

/** Whether a device of this account is trusted; its use is noted, its end stays where it was. */
export async function isTrustedDevice(
  { sql, ip }: Pick<Context, "sql" | "ip">,
  userId: number,
  token: string | null | undefined,
): Promise<boolean> {
  if (!token || !isToken(token, "dst")) return false;
  const known = await sql`
    update trusted_devices set last_used_at = now(), ip = ${ip}
     where token_hash = ${digest(token)} and user_id = ${userId} and expires_at > now() returning id`;
  return known.length === 1;
}
