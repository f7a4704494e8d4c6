export const KEY_LIFETIME_DAY_CHOICES = [30, 90, 365] as const;
