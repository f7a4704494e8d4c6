import { importPKCS8, SignJWT } from "jose";
import { env } from "@/server/core/env";
import { SECOND } from "@/server/core/time";
import { callService } from "@/server/infrastructure/http/service";

/** What a later revocation at Apple shows. A code that was never exchanged is worth five minutes. */
export type Grant = { refresh_token: string } | { authorization_code: string };

/** What is needed to speak to Apple as ourselves. */
export interface AppleClient {
  clientId: string;
  /** Apple's client secret is a JWT that we sign ourselves; good for five minutes. */
  secret(): Promise<string>;
}

/** Our app at Apple; undefined when the settings lack any part of it. */
export function appleClient(): AppleClient | undefined {
  const { APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY, APPLE_ISSUER } = env();
  const clientId = APPLE_CLIENT_ID?.split(",")[0]?.trim();
  if (!clientId || !APPLE_TEAM_ID || !APPLE_KEY_ID || !APPLE_PRIVATE_KEY) return undefined;
  return {
    clientId,
    secret: async () =>
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

/**
 * Revokes the person's grant at Apple. Apple returns 200 for a grant that is already gone. Throws when Apple cannot
 * be reached or refuses us.
 */
export async function revokeGrant(client: AppleClient, grant: Grant): Promise<void> {
  const token =
    "refresh_token" in grant ? grant.refresh_token : await exchangeCode(client, grant.authorization_code);
  if (!token) return;
  const { status } = await callApple(new URL("revoke", env().APPLE_TOKEN_URL), {
    client_id: client.clientId,
    client_secret: await client.secret(),
    token,
    token_type_hint: "refresh_token",
  });
  if (status !== 200) throw new Error(`Apple answered ${status}`);
}

/**
 * Exchanges an authorization code for a refresh token, which lives until it is revoked. Throws when Apple cannot be
 * reached; returns undefined when the code is no longer valid, which no retry changes.
 */
export async function exchangeCode(client: AppleClient, code: string): Promise<string | undefined> {
  const { status, text } = await callApple(env().APPLE_TOKEN_URL, {
    grant_type: "authorization_code",
    code,
    client_id: client.clientId,
    client_secret: await client.secret(),
  });
  const body = JSON.parse(text) as { refresh_token?: unknown; error?: unknown };
  if (typeof body.refresh_token === "string") return body.refresh_token;
  if (body.error === "invalid_grant") return undefined;
  throw new Error(`Apple answered ${status} ${String(body.error)}`);
}

function callApple(url: string | URL, form: Record<string, string>) {
  return callService(url, { method: "POST", form, timeout: 5 * SECOND, maxBytes: 64 * 1024 });
}
