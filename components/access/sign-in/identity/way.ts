/** How a signed-in person can prove who it is, the strongest first. */
const WAYS = ["passkey", "totp", "email", "sms", "password", "recovery", "sign_in"] as const;
export type Way = (typeof WAYS)[number];

/** Second factors, which a recovery code stands in for. */
const FACTORS: readonly Way[] = ["totp", "email", "sms"];

/** The ways among those the server named; whoever has a second factor may use a recovery code as well. */
export function strongestFirst(methods: readonly unknown[]): Way[] {
  const named = WAYS.filter((way) => methods.includes(way));
  if (named.length === 0) return ["password"];
  return named.some((way) => FACTORS.includes(way)) ? [...named, "recovery"] : named;
}
