import type { JWK } from "jose";
import { env } from "@/server/core/env";
import { mainHost } from "@/server/core/portal";
import { appleClient } from "../apple.provider";
import { IDENTITY_PROVIDERS, type IdentityProvider } from "../contract";
import { DEMO_CLIENT, demoAddress, demoPublicKey } from "../demo.provider";

/** Where a provider is found, and our client ids there. */
export interface Provider {
  id: IdentityProvider;
  /** Spellings of the provider's issuer; the first is the one that is stored. */
  issuers: [string, ...string[]];
  /** Our client ids there; the first is the panel's. */
  clientIds: [string, ...string[]];
  /** Its public keys: an address, or the demo's own. */
  keys: { url: string } | { local: JWK };
  jwksUrl: string;
  authorizeUrl: string;
  tokenUrl: string;
  demo: boolean;
}

/** Returns a provider by its name; undefined when it is not configured. Demo mode has one of its own. */
export function providerOf(id: IdentityProvider): Provider | undefined {
  const settings = env();
  const google = id === "google";
  const given = google ? settings.GOOGLE_CLIENT_ID : settings.APPLE_CLIENT_ID;
  const [first, ...others] = (given ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  if (!first) return settings.production ? undefined : demoProvider(id);
  const issuer = google ? settings.GOOGLE_ISSUER : settings.APPLE_ISSUER;
  const jwksUrl = google ? settings.GOOGLE_JWKS_URL : settings.APPLE_JWKS_URL;
  return {
    id,
    // Google has signed under both spellings.
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
  const at = demoAddress(id);
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

/** Providers with a button in the panel: those that its own sign-in can show a secret to. */
export function panelProviders(): IdentityProvider[] {
  return IDENTITY_PROVIDERS.filter((id) => {
    const provider = providerOf(id);
    return provider?.demo || (id === "google" ? provider && env().GOOGLE_CLIENT_SECRET : appleClient());
  });
}

/**
 * Those of them at a host: at a reseller's portal none, because a provider leads back to the main address alone, and names
 * the platform on its own page.
 */
export function panelProvidersAt(host: string | null): IdentityProvider[] {
  return host === mainHost() ? panelProviders() : [];
}

/** What the panel's own sign-in shows to a provider with a button. */
export async function panelSecret(id: IdentityProvider): Promise<string | undefined> {
  if (providerOf(id)?.demo) return DEMO_CLIENT;
  return id === "google" ? env().GOOGLE_CLIENT_SECRET : appleClient()?.secret();
}

/** Providers whose id_tokens are accepted. */
export function availableProviders(): IdentityProvider[] {
  return IDENTITY_PROVIDERS.filter((id) => providerOf(id) !== undefined);
}
