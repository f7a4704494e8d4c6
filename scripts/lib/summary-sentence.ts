import type { BackupSummary } from "@/server/infrastructure/backup/backup";

const BYTES_PER_MB = 1024 * 1024;
const formatNumber = (value: number) => value.toLocaleString("en");
const formatMegabytes = (bytes: number) => `${(bytes / BYTES_PER_MB).toFixed(1)} MB`;

export function formatSummary(
  verb: string,
  { snapshotAt, tables, rows, files, bytes, backupBytes }: BackupSummary,
): string {
  return (
    `${verb} ${formatNumber(rows)} rows in ${tables} tables and ${formatNumber(files)} files (${formatMegabytes(bytes)}) ` +
    `as of ${snapshotAt}; the backup has ${formatMegabytes(backupBytes)}.`
  );
}
