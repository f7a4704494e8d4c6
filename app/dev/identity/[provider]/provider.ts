import { IDENTITY_PROVIDERS, type IdentityProvider } from "@/server/domains/access/identities/contract";

export function isProvider(value: string): value is IdentityProvider {
  return (IDENTITY_PROVIDERS as readonly string[]).includes(value);
}

/** Route argument. Next.js generates no types for routes outside the production build. */
export interface Given {
  params: Promise<{ provider: string }>;
}

/** Fields of an authorization request that are returned or become part of the token. */
export const REQUEST_FIELDS = ["redirect_uri", "state", "nonce", "code_challenge"] as const;
