import { isoMicros } from "@/server/core/time";

/** One row of an export; keys in the order of the columns. */
export type Row = Record<string, unknown>;

/** What a spreadsheet would take for a formula or a command. */
const FORMULA = /^(\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|[\t\r\n])/u;

/** JSON: a list of objects, times with six digits, bytes as hexadecimal digits. */
export function toJson(rows: readonly Row[]): string {
  return `${JSON.stringify(rows.map(plainRow), null, 2)}\n`;
}

/**
 * CSV as spreadsheets read it: UTF-8 with a mark, every cell quoted, lines end with CRLF. A text that a spreadsheet would
 * run gets an apostrophe before it.
 */
export function toCsv(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((column) => cell(plain(row[column]))));
  return `\uFEFF${[columns.map(cell), ...lines].map((line) => `${line.join(",")}\r\n`).join("")}`;
}

function plainRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)]));
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return isoMicros(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return value;
}

function cell(value: unknown): string {
  const text =
    value === null || value === undefined
      ? ""
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
  const harmless = typeof value === "number" || !FORMULA.test(text);
  return `"${(harmless ? text : `'${text}`).replaceAll('"', '""')}"`;
}

/** A row by the names that files have: `createdAt` is `created_at`. */
export function spelledOut(row: object): Row {
  const named = Object.entries(row).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(named);
}
