import type { JWK } from "jose";
import { env } from "@/server/core/env";
import { mainHost } from "@/server/core/portal";
import { appleClient } from "../apple.provider";
import { IDENTITY_PROVIDERS, type IdentityProvider } from "../contract";
import { DEMO_CLIENT, demoIssuer, demoPublicKey } from "../demo.provider";

export interface Provider {
  id: IdentityProvider;
  /** Accepted spellings; the first is stored. */
  issuers: [string, ...string[]];
  /** The first is the panel's. */
  clientIds: [string, ...string[]];
  keys: { url: string } | { local: JWK };
  jwksUrl: string;
  authorizeUrl: string;
  tokenUrl: string;
  demo: boolean;
}

/** Undefined when not configured; outside production the demo provider stands in. */
export function providerOf(id: IdentityProvider): Provider | undefined {
  const settings = env();
  const google = id === "google";
  const clientIds = google ? settings.GOOGLE_CLIENT_ID : settings.APPLE_CLIENT_ID;
  const [first, ...others] = (clientIds ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  if (!first) return settings.production ? undefined : demoProvider(id);
  const issuer = google ? settings.GOOGLE_ISSUER : settings.APPLE_ISSUER;
  const jwksUrl = google ? settings.GOOGLE_JWKS_URL : settings.APPLE_JWKS_URL;
  return {
    id,
    issuers: issuer === "https://accounts.google.com" ? [issuer, "accounts.google.com"] : [issuer],
    clientIds: [first, ...others],
    keys: { url: jwksUrl },
    jwksUrl,
    authorizeUrl: google ? settings.GOOGLE_AUTHORIZE_URL : settings.APPLE_AUTHORIZE_URL,
    tokenUrl: google ? settings.GOOGLE_TOKEN_URL : settings.APPLE_TOKEN_URL,
    demo: false,
  };
}

function demoProvider(id: IdentityProvider): Provider {
  const at = demoIssuer(id);
  return {
    id,
    issuers: [at],
    clientIds: [DEMO_CLIENT],
    keys: { local: demoPublicKey() },
    jwksUrl: `${at}/keys`,
    authorizeUrl: at,
    tokenUrl: `${at}/token`,
    demo: true,
  };
}

/** Providers with a button in the panel: those with a client secret. */
export function panelProviders(): IdentityProvider[] {
  return IDENTITY_PROVIDERS.filter((id) => {
    const provider = providerOf(id);
    return provider?.demo || (id === "google" ? provider && env().GOOGLE_CLIENT_SECRET : appleClient());
  });
}

/** None at a reseller's portal: providers redirect to the main host only and show the platform's name. */
export function panelProvidersAt(host: string | null): IdentityProvider[] {
  return host === mainHost() ? panelProviders() : [];
}

export async function panelSecret(id: IdentityProvider): Promise<string | undefined> {
  if (providerOf(id)?.demo) return DEMO_CLIENT;
  return id === "google" ? env().GOOGLE_CLIENT_SECRET : appleClient()?.secret();
}

/** Providers whose id_tokens are accepted, including those without a secret. */
export function availableProviders(): IdentityProvider[] {
  return IDENTITY_PROVIDERS.filter((id) => providerOf(id) !== undefined);
}
