/** Life of a reset link. */
export const RESET_MINUTES = 60;

/** Life of a sign-in that waits for its second factor. */
export const WAITING_MINUTES = 10;

/** The cookie that names the last way in of a browser, to mark it on the sign-in page; it opens nothing. */
export const WAY_COOKIE = "way";

/** Ways in that a browser remembers. */
const WAYS_IN = ["password", "passkey", "google", "apple"] as const;
export type WayIn = (typeof WAYS_IN)[number];

/** Returns the way in that a cookie names; undefined for anything else. */
export function wayIn(value: string | undefined): WayIn | undefined {
  return WAYS_IN.find((way) => way === value);
}
