/** Bytes, rows without headings, and columns of a file. */
export const IMPORT_MAX_BYTES = 2 * 1024 * 1024;
export const IMPORT_MAX_ROWS = 1000;
export const IMPORT_MAX_COLUMNS = 300;

/** What a column of the file may be. */
const IMPORT_FIELDS = ["name", "last_name", "email", "phone"] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** What becomes of a row: good, or why it invites nobody. */
export const OUTCOMES = [
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
export type Outcome = (typeof OUTCOMES)[number];

/** Key of the job of an import. */
export const importKey = (id: number) => `import:${id}`;
