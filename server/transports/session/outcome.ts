import { env } from "@/server/core/env";
import { LAST_METHOD_COOKIE, type LastMethod } from "@/server/domains/access/sign-in/policy";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";
import { sealPayload, unsealPayload } from "@/server/infrastructure/secrets/seal";

/*
 * Passes a pending second factor or a refusal of a provider sign-in to the sign-in page in a sealed cookie,
 * never in a URL.
 */

const PURPOSE = "sign_in_outcome";
const COOKIE = "sign-in-outcome";
const MAX_AGE = 600;

export type Outcome =
  | { kind: "second_factor"; token: string; methods: FactorKind[] }
  | { kind: "refused"; body: Record<string, unknown> };

export function outcomeCookie(outcome: Outcome): string {
  const value = encodeURIComponent(sealPayload(outcome, PURPOSE));
  const secure = env().https ? "; Secure" : "";
  return `${COOKIE}=${value}; Path=/sign-in; Max-Age=${MAX_AGE}; HttpOnly; SameSite=Lax${secure}`;
}

/** Not HttpOnly: scripts write it, too. */
export function signInMethodCookie(way: LastMethod): string {
  const secure = env().https ? "; Secure" : "";
  return `${LAST_METHOD_COOKIE}=${way}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}

export function readOutcome(cookies: {
  get(name: string): { value: string } | undefined;
}): Outcome | undefined {
  const value = cookies.get(COOKIE)?.value;
  try {
    return value ? unsealPayload<Outcome>(decodeURIComponent(value), PURPOSE) : undefined;
  } catch {
    return undefined;
  }
}
