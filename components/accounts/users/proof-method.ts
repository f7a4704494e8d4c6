/** Methods to prove the identity, strongest first. */
const METHODS = ["passkey", "totp", "email", "sms", "password", "recovery", "sign_in"] as const;
export type ProofMethod = (typeof METHODS)[number];

/** Second factors that a recovery code can replace. */
const FACTORS: readonly ProofMethod[] = ["totp", "email", "sms"];

/** Sorts the server's methods. Adds recovery codes if there is a second factor. */
export function strongestFirst(methods: readonly unknown[]): ProofMethod[] {
  const named = METHODS.filter((method) => methods.includes(method));
  if (named.length === 0) return ["password"];
  return named.some((method) => FACTORS.includes(method)) ? [...named, "recovery"] : named;
}
