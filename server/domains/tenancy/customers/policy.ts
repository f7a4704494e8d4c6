export const SORTS = ["name", "-name", "email", "-email", "created_at", "-created_at"] as const;
export type Sort = (typeof SORTS)[number];

export const CUSTOMERS_MAX = 10_000;

export const INVITATION_DAYS = 7;

export const NOTE_MAX = 2000;
export const NOTES_MAX = 200;
