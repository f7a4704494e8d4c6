import { IDENTITY_PROVIDERS, type IdentityProvider } from "@/server/domains/access/identities/contract";

export function isProvider(value: string): value is IdentityProvider {
  return (IDENTITY_PROVIDERS as readonly string[]).includes(value);
}

/** What Next gives every route here; its own types leave out what a production build does not have. */
export interface Given {
  params: Promise<{ provider: string }>;
}

/** What a sign-in asks of an identity provider; all of it is handed back or into the token. */
export const REQUEST_FIELDS = ["redirect_uri", "state", "nonce", "code_challenge"] as const;
