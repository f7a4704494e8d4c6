export const KEY_LIFETIME_DAY_CHOICES = [30, 90, 365] as const;

export const ACTIVITY_RETENTION_DAYS = 400;
