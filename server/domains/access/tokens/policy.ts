/** Lives of an API key in days; null never ends. */
export const KEY_LIVES = [30, 90, 365] as const;
