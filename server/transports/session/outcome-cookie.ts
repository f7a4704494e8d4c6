import { env } from "@/server/core/env";
import { LAST_SIGN_IN_COOKIE, type LastSignInMethod } from "@/server/domains/access/sign-in/policy";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";
import { sealPayload, unsealPayload } from "@/server/infrastructure/secrets/seal";

/* Sealed cookie that passes the result of a provider sign-in to the sign-in page; a URL would leak it. */

const SEAL_PURPOSE = "sign_in_outcome";
const OUTCOME_COOKIE = "sign-in-outcome";
const MAX_AGE_SECONDS = 600;

export type ProviderSignInOutcome =
  | { kind: "second_factor"; token: string; methods: FactorKind[] }
  | { kind: "refused"; body: Record<string, unknown> };

export function formatOutcomeCookie(outcome: ProviderSignInOutcome): string {
  const value = encodeURIComponent(sealPayload(outcome, SEAL_PURPOSE));
  const secure = env().usesHttps ? "; Secure" : "";
  return `${OUTCOME_COOKIE}=${value}; Path=/sign-in; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

/** Not HttpOnly: the panel's scripts write it, too. */
export function formatLastMethodCookie(method: LastSignInMethod): string {
  const secure = env().usesHttps ? "; Secure" : "";
  return `${LAST_SIGN_IN_COOKIE}=${method}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}

export function readOutcomeCookie(cookies: {
  get(name: string): { value: string } | undefined;
}): ProviderSignInOutcome | undefined {
  const value = cookies.get(OUTCOME_COOKIE)?.value;
  try {
    return value ? unsealPayload<ProviderSignInOutcome>(decodeURIComponent(value), SEAL_PURPOSE) : undefined;
  } catch {
    return undefined;
  }
}
