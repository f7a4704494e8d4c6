import { Readable } from "node:stream";
import { type Options, stringify } from "csv-stringify";
import { stringify as stringifyAll } from "csv-stringify/sync";
import { FileOutput } from "./contract";
import { CSV_DOWNLOAD } from "./list";
import { getDecimalMark, type Locale } from "./locale";

/** Start of a formula or command in a spreadsheet, also after spaces and in full-width characters. */
const FORMULA_START = /^(\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|[\t\r\n])/u;

/** Format for spreadsheets: byte order mark, CRLF, and an apostrophe in front of formulas. */
const CSV_FORMAT: Options = {
  header: true,
  bom: true,
  quoted: true,
  quoted_empty: true,
  record_delimiter: "windows",
  cast: { boolean: String, string: (text) => (FORMULA_START.test(text) ? `'${text}` : text) },
};

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

/** Spreadsheets in languages with a decimal comma expect semicolons. */
function getDelimiter(locale: Locale): ";" | "," {
  return getDecimalMark(locale) === "," ? ";" : ",";
}
