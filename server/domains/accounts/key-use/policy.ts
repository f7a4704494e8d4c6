export const KEY_USE_RETENTION_DAYS = 30;

export const KEY_CALL_RETENTION_DAYS = 90;
