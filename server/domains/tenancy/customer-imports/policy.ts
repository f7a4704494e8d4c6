export const IMPORT_MAX_BYTES = 2 * 1024 * 1024;
export const IMPORT_MAX_ROWS = 1000;
export const IMPORT_MAX_COLUMNS = 300;

const IMPORT_FIELDS = ["name", "last_name", "email", "phone"] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

export const ROW_OUTCOMES = [
  "ready",
  "invited",
  "name_invalid",
  "email_invalid",
  "phone_invalid",
  "formula",
  "duplicate",
  "invited_already",
  "has_account",
  "refused",
  "mailed_enough",
  "stopped",
] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

export const importJobKey = (id: number) => `import:${id}`;
