/** How a signed-in person can prove who it is, the strongest first. */
const WAYS = ["totp", "email", "password", "recovery"] as const;
export type Way = (typeof WAYS)[number];

/** The ways among those the server named; whoever has a second factor may use a recovery code as well. */
export function strongestFirst(methods: readonly unknown[]): Way[] {
  const named = WAYS.filter((way) => methods.includes(way));
  if (named.length === 0) return ["password"];
  return named.includes("password") ? named : [...named, "recovery"];
}
