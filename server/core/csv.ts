import { Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { stringify as stringifyAll } from "csv-stringify/sync";
import { FileOutput } from "./contract";
import { CSV_FORMAT, getDelimiter } from "./csv-format";
import { CSV_DOWNLOAD } from "./list";
import type { Locale } from "./locale";

/** Returns a CSV file that is streamed, so it may be of any length. */
export function createCsvFile(
  rows: AsyncIterable<Record<string, unknown>>,
  { name, columns, locale }: { name: string; columns: readonly string[]; locale: Locale },
): FileOutput {
  const createWriter = () =>
    stringify({ ...CSV_FORMAT, columns: [...columns], delimiter: getDelimiter(locale) });
  return new FileOutput(
    { open: () => Readable.from(rows).compose(createWriter()) as Readable },
    { type: CSV_DOWNLOAD.file, name },
  );
}

const BATCH_SIZE = 1000;

/** Prisma arguments for one batch. The query's `orderBy` must end with `id`. */
export interface Batch {
  take: number;
  cursor?: { id: number };
  skip?: number;
}

export async function* readInBatches<Row extends { id: number }>(
  readBatch: (batch: Batch) => Promise<Row[]>,
) {
  for (let lastId: number | undefined; ; ) {
    const rows = await readBatch({
      take: BATCH_SIZE,
      ...(lastId !== undefined && { cursor: { id: lastId }, skip: 1 }),
    });
    yield* rows;
    if (rows.length < BATCH_SIZE) return;
    lastId = rows.at(-1)!.id;
  }
}

/** Formats rows with commas in every language, for the data export. */
export function formatCsv(rows: readonly Record<string, unknown>[]): string {
  return stringifyAll([...rows], { ...CSV_FORMAT, columns: Object.keys(rows[0] ?? {}) });
}
