import { formatCsv } from "@/server/core/csv";
import { toIsoMicros } from "@/server/core/time";

export type Row = Record<string, unknown>;

/** Formats rows as JSON: times with microseconds, bytes as hex. */
export function toJson(rows: readonly Row[]): string {
  return `${JSON.stringify(rows.map(toPlainRow), null, 2)}\n`;
}

export function toCsv(rows: readonly Row[]): string {
  return formatCsv(rows.map(toPlainRow));
}

function toPlainRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, toPlainValue(value)]));
}

function toPlainValue(value: unknown): unknown {
  if (value instanceof Date) return toIsoMicros(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return value;
}

export function toSnakeCase(row: object): Row {
  const snakeCaseEntries = Object.entries(row).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(snakeCaseEntries);
}
