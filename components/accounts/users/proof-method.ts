/** How a signed-in person can prove their identity, the strongest first. */
const METHODS = ["passkey", "totp", "email", "sms", "password", "recovery", "sign_in"] as const;
export type ProofMethod = (typeof METHODS)[number];

/** Second factors that a recovery code can replace. */
const FACTORS: readonly ProofMethod[] = ["totp", "email", "sms"];

/** Sorts the methods that the server named; with a second factor, a recovery code is possible as well. */
export function strongestFirst(methods: readonly unknown[]): ProofMethod[] {
  const named = METHODS.filter((method) => methods.includes(method));
  if (named.length === 0) return ["password"];
  return named.some((method) => FACTORS.includes(method)) ? [...named, "recovery"] : named;
}
