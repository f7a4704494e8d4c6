import { IDENTITY_PROVIDERS, type IdentityProvider } from "@/server/domains/access/identities/contract";

export function isProvider(value: string): value is IdentityProvider {
  return (IDENTITY_PROVIDERS as readonly string[]).includes(value);
}

/** The argument of every route here; Next's own types leave out what a production build does not contain. */
export interface Given {
  params: Promise<{ provider: string }>;
}

/** The fields of a sign-in request to an identity provider; each is passed back or goes into the token. */
export const REQUEST_FIELDS = ["redirect_uri", "state", "nonce", "code_challenge"] as const;
