import { csvText } from "@/server/core/csv";
import { isoMicros } from "@/server/core/time";

/** One row of an export; keys in the order of the columns. */
export type Row = Record<string, unknown>;

/** JSON: a list of objects, times with six digits, bytes as hexadecimal digits. */
export function toJson(rows: readonly Row[]): string {
  return `${JSON.stringify(rows.map(plainRow), null, 2)}\n`;
}

/** CSV: nested values as JSON in one cell. */
export function toCsv(rows: readonly Row[]): string {
  return csvText(rows.map(plainRow));
}

function plainRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)]));
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return isoMicros(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return value;
}

/** Converts a row's keys to those of the files: `createdAt` is `created_at`. */
export function spelledOut(row: object): Row {
  const named = Object.entries(row).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(named);
}
