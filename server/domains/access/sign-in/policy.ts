export const RESET_MINUTES = 60;

/** Lifetime of an interim token. */
export const WAITING_MINUTES = 10;

/** Cookie with the browser's last sign-in method, for display only. */
export const WAY_COOKIE = "way";

const WAYS_IN = ["password", "passkey", "google", "apple"] as const;
export type WayIn = (typeof WAYS_IN)[number];

export function wayIn(value: string | undefined): WayIn | undefined {
  return WAYS_IN.find((way) => way === value);
}
