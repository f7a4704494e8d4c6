export const RESET_MINUTES = 60;

/** Lifetime of an interim token. */
export const INTERIM_MINUTES = 10;

/** Cookie with the browser's last sign-in method, for display only. */
export const LAST_METHOD_COOKIE = "way";

const WAYS_IN = ["password", "passkey", "google", "apple"] as const;
export type LastMethod = (typeof WAYS_IN)[number];

export function parseLastMethod(value: string | undefined): LastMethod | undefined {
  return WAYS_IN.find((way) => way === value);
}
