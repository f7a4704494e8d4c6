/** Lifetimes of an API key in days; null means no expiry. */
export const KEY_LIVES = [30, 90, 365] as const;
