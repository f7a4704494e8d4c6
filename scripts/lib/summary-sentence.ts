import type { Summary } from "@/server/infrastructure/backup/backup";

const MB = 1024 * 1024;
const number = (value: number) => value.toLocaleString("en");
const megabytes = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`;

/** Describes a finished backup or restore in one sentence. */
export function summarySentence(verb: string, { at, tables, rows, files, bytes, size }: Summary): string {
  return (
    `${verb} ${number(rows)} rows in ${tables} tables and ${number(files)} files (${megabytes(bytes)}) ` +
    `as of ${at}; the backup has ${megabytes(size)}.`
  );
}
