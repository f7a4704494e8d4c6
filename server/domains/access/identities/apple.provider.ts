import { importPKCS8, SignJWT } from "jose";
import { env } from "@/server/core/env";
import { SECOND } from "@/server/core/time";
import { callService } from "@/server/infrastructure/http/call-service";

/** Apple's permission, which we revoke when the account is deleted. A code expires after five minutes. */
export type AppleGrant = { refresh_token: string } | { authorization_code: string };

export interface AppleClient {
  clientId: string;
  /** A JWT signed with our key, valid for five minutes. */
  createSecret(): Promise<string>;
}

export function getAppleClient(): AppleClient | undefined {
  const { APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY, APPLE_ISSUER } = env();
  const clientId = APPLE_CLIENT_ID?.split(",")[0]?.trim();
  if (!clientId || !APPLE_TEAM_ID || !APPLE_KEY_ID || !APPLE_PRIVATE_KEY) return undefined;
  return {
    clientId,
    createSecret: async () =>
      new SignJWT()
        .setProtectedHeader({ alg: "ES256", kid: APPLE_KEY_ID, typ: "JWT" })
        .setIssuer(APPLE_TEAM_ID)
        .setSubject(clientId)
        .setAudience(APPLE_ISSUER)
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(await importPKCS8(APPLE_PRIVATE_KEY.replaceAll("\\n", "\n"), "ES256")),
  };
}

/** Apple returns 200 for an unknown grant, too. Throws when Apple fails. */
export async function revokeAppleGrant(client: AppleClient, grant: AppleGrant): Promise<void> {
  const token =
    "refresh_token" in grant
      ? grant.refresh_token
      : await exchangeAppleCode(client, grant.authorization_code);
  if (!token) return;
  const { status } = await callApple(new URL("revoke", env().APPLE_TOKEN_URL), {
    client_id: client.clientId,
    client_secret: await client.createSecret(),
    token,
    token_type_hint: "refresh_token",
  });
  if (status !== 200) throw new Error(`Apple answered ${status}`);
}

/** Returns a refresh token; undefined for an invalid code. Throws when Apple fails, so that jobs retry. */
export async function exchangeAppleCode(client: AppleClient, code: string): Promise<string | undefined> {
  const { status, text } = await callApple(env().APPLE_TOKEN_URL, {
    grant_type: "authorization_code",
    code,
    client_id: client.clientId,
    client_secret: await client.createSecret(),
  });
  const body = JSON.parse(text) as { refresh_token?: unknown; error?: unknown };
  if (typeof body.refresh_token === "string") return body.refresh_token;
  if (body.error === "invalid_grant") return undefined;
  throw new Error(`Apple answered ${status} ${String(body.error)}`);
}

function callApple(url: string | URL, form: Record<string, string>) {
  return callService(url, { method: "POST", form, timeout: 5 * SECOND, maxBytes: 64 * 1024 });
}
