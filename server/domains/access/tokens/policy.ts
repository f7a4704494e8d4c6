export const KEY_LIFETIME_DAYS = [30, 90, 365] as const;
