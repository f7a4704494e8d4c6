import { IDENTITY_PROVIDERS, type IdentityProvider } from "@/server/domains/access/identities/contract";

export function isIdentityProvider(value: string): value is IdentityProvider {
  return (IDENTITY_PROVIDERS as readonly string[]).includes(value);
}

/** Argument of these routes. Next's route types only cover production pages. */
export interface ProviderRouteProps {
  params: Promise<{ provider: string }>;
}

/** Fields of an authorization request. The redirect returns some of them, the token contains others. */
export const AUTHORIZATION_REQUEST_FIELDS = ["redirect_uri", "state", "nonce", "code_challenge"] as const;
