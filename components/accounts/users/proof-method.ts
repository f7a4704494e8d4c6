const METHODS_BY_STRENGTH = ["passkey", "totp", "email", "sms", "password", "recovery", "sign_in"] as const;
export type ProofMethod = (typeof METHODS_BY_STRENGTH)[number];

const SECOND_FACTORS: readonly ProofMethod[] = ["totp", "email", "sms"];

/** Sorts the server's methods. Adds recovery codes if there is a second factor. */
export function sortProofMethods(methods: readonly unknown[]): ProofMethod[] {
  const acceptedMethods = METHODS_BY_STRENGTH.filter((method) => methods.includes(method));
  if (acceptedMethods.length === 0) return ["password"];
  return acceptedMethods.some((method) => SECOND_FACTORS.includes(method))
    ? [...acceptedMethods, "recovery"]
    : acceptedMethods;
}
