import type { JWK } from "jose";
import { env } from "@/server/core/env";
import { getMainHost } from "@/server/core/portal";
import { getAppleClient } from "../apple.provider";
import { IDENTITY_PROVIDERS, type IdentityProvider } from "../contract";
import { DEMO_CLIENT_ID, getDemoIssuer, getDemoPublicKey } from "../demo.provider";

export interface Provider {
  id: IdentityProvider;
  /** Accepted spellings; the first is stored. */
  issuers: [string, ...string[]];
  /** The first is the panel's, others are those of apps. */
  clientIds: [string, ...string[]];
  keys: { url: string } | { local: JWK };
  jwksUrl: string;
  authorizeUrl: string;
  tokenUrl: string;
  isDemo: boolean;
}

/** A provider that is not configured is undefined in production, and the demo provider elsewhere. */
export function findProvider(id: IdentityProvider): Provider | undefined {
  const settings = env();
  const isGoogle = id === "google";
  const clientIds = isGoogle ? settings.GOOGLE_CLIENT_ID : settings.APPLE_CLIENT_ID;
  const [panelClientId, ...otherClientIds] = (clientIds ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  if (!panelClientId) return settings.production ? undefined : buildDemoProvider(id);
  const issuer = isGoogle ? settings.GOOGLE_ISSUER : settings.APPLE_ISSUER;
  const jwksUrl = isGoogle ? settings.GOOGLE_JWKS_URL : settings.APPLE_JWKS_URL;
  return {
    id,
    issuers: issuer === "https://accounts.google.com" ? [issuer, "accounts.google.com"] : [issuer],
    clientIds: [panelClientId, ...otherClientIds],
    keys: { url: jwksUrl },
    jwksUrl,
    authorizeUrl: isGoogle ? settings.GOOGLE_AUTHORIZE_URL : settings.APPLE_AUTHORIZE_URL,
    tokenUrl: isGoogle ? settings.GOOGLE_TOKEN_URL : settings.APPLE_TOKEN_URL,
    isDemo: false,
  };
}

function buildDemoProvider(id: IdentityProvider): Provider {
  const issuer = getDemoIssuer(id);
  return {
    id,
    issuers: [issuer],
    clientIds: [DEMO_CLIENT_ID],
    keys: { local: getDemoPublicKey() },
    jwksUrl: `${issuer}/keys`,
    authorizeUrl: issuer,
    tokenUrl: `${issuer}/token`,
    isDemo: true,
  };
}

/** Returns the providers that get a button in the panel: demo providers and those with a client secret. */
export function listPanelProviders(): IdentityProvider[] {
  return IDENTITY_PROVIDERS.filter((id) => {
    const provider = findProvider(id);
    return provider?.isDemo || (id === "google" ? provider && env().GOOGLE_CLIENT_SECRET : getAppleClient());
  });
}

/** Returns none at a reseller's portal: providers redirect to the main host and show the platform's name. */
export function listPanelProvidersForHost(host: string | null): IdentityProvider[] {
  return host === getMainHost() ? listPanelProviders() : [];
}

export async function getPanelClientSecret(id: IdentityProvider): Promise<string | undefined> {
  if (findProvider(id)?.isDemo) return DEMO_CLIENT_ID;
  return id === "google" ? env().GOOGLE_CLIENT_SECRET : getAppleClient()?.createSecret();
}

/** Providers whose id_tokens are accepted, including those without a secret. */
export function listAvailableProviders(): IdentityProvider[] {
  return IDENTITY_PROVIDERS.filter((id) => findProvider(id) !== undefined);
}
