import { env } from "@/server/core/env";
import { WAY_COOKIE, type WayIn } from "@/server/domains/access/sign-in/policy";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";
import { sealPayload, unsealPayload } from "@/server/infrastructure/secrets/seal";

/*
 * A sign-in through a provider that does not end in the panel ends on the sign-in page. What that page needs (a
 * pending second factor, the gate that refused) travels in a sealed cookie, never in an address.
 */

const PURPOSE = "sign_in_outcome";
const COOKIE = "sign-in-outcome";
/** Seconds; as long as a pending sign-in lives. */
const LIFE = 600;

export type Outcome =
  | { kind: "second_factor"; token: string; methods: FactorKind[] }
  /** The documented body of the refusal, in the reader's language. */
  | { kind: "refused"; body: Record<string, unknown> };

/** Returns the Set-Cookie header that passes an outcome to the sign-in page. */
export function outcomeCookie(outcome: Outcome): string {
  const value = encodeURIComponent(sealPayload(outcome, PURPOSE));
  const secure = env().https ? "; Secure" : "";
  return `${COOKIE}=${value}; Path=/sign-in; Max-Age=${LIFE}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the Set-Cookie header that names the last way in of a browser, whose scripts may write it, too. */
export function wayCookie(way: WayIn): string {
  const secure = env().https ? "; Secure" : "";
  return `${WAY_COOKIE}=${way}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}

/** Returns the outcome passed to the sign-in page; undefined when there is none, or it is not ours. */
export function readOutcome(jar: { get(name: string): { value: string } | undefined }): Outcome | undefined {
  const value = jar.get(COOKIE)?.value;
  try {
    return value ? unsealPayload<Outcome>(decodeURIComponent(value), PURPOSE) : undefined;
  } catch {
    return undefined;
  }
}
