/** How a signed-in person can prove their identity, the strongest first. */
const WAYS = ["passkey", "totp", "email", "sms", "password", "recovery", "sign_in"] as const;
export type Way = (typeof WAYS)[number];

/** Second factors that a recovery code can replace. */
const FACTORS: readonly Way[] = ["totp", "email", "sms"];

/** Sorts the methods that the server named; with a second factor, a recovery code is possible as well. */
export function strongestFirst(methods: readonly unknown[]): Way[] {
  const named = WAYS.filter((way) => methods.includes(way));
  if (named.length === 0) return ["password"];
  return named.some((way) => FACTORS.includes(way)) ? [...named, "recovery"] : named;
}
