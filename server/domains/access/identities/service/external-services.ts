import { type ExternalService, ExternalServiceError } from "@/server/core/domain";
import { env } from "@/server/core/env";
import { readServiceJson } from "@/server/infrastructure/http/read-service-json";
import type { IdentityProvider } from "../contract";
import { findProvider, getPanelClientSecret } from "./providers";

/** Providers answer `invalid_grant` to this code if they accept our credentials, else another error. */
const INVALID_CODE = "self-check";

async function testProvider(providerId: IdentityProvider): Promise<void> {
  const provider = findProvider(providerId);
  if (!provider) return;
  const secret = await getPanelClientSecret(providerId).catch((cause) => {
    throw new ExternalServiceError("refused", { cause });
  });
  if (!secret) return testSigningKeys(provider.jwksUrl);
  const { body } = await readServiceJson({
    method: "POST",
    url: provider.tokenUrl,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: INVALID_CODE,
      client_id: provider.clientIds[0],
      client_secret: secret,
      redirect_uri: `${env().APP_URL}/session/callback/${providerId}`,
    }).toString(),
  });
  if (body.error === "invalid_grant") return;
  throw new ExternalServiceError(typeof body.error === "string" ? "refused" : "unexpected");
}

async function testSigningKeys(url: string): Promise<void> {
  const { status, body } = await readServiceJson({ method: "GET", url });
  if (status !== 200 || !Array.isArray(body.keys)) throw new ExternalServiceError("unexpected");
}

const isConfigured = (providerId: IdentityProvider) => findProvider(providerId)?.isDemo === false;

export const identityServices = {
  google: {
    label: "Google",
    settings: "GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET",
    isConfigured: () => isConfigured("google"),
    test: () => testProvider("google"),
  },
  apple: {
    label: "Apple",
    settings: "APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY",
    isConfigured: () => isConfigured("apple"),
    test: () => testProvider("apple"),
  },
} satisfies Record<string, ExternalService>;
