import { Readable } from "node:stream";
import { type Options, stringify } from "csv-stringify";
import { stringify as stringifyAll } from "csv-stringify/sync";
import { FileOutput } from "./contract";
import { CSV_DOWNLOAD } from "./list";
import { decimalMark, type Locale } from "./locale";

/** Start of a formula or command in a spreadsheet, also after spaces and in full-width characters. */
const FORMULA = /^(\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|[\t\r\n])/u;

/** Format for spreadsheets: byte order mark, CRLF, and an apostrophe in front of formulas. */
const FORMAT: Options = {
  header: true,
  bom: true,
  quoted: true,
  quoted_empty: true,
  record_delimiter: "windows",
  cast: { boolean: String, string: (text) => (FORMULA.test(text) ? `'${text}` : text) },
};

/** Returns a CSV file that is streamed, so it may be of any length. */
export function csvFile(
  rows: AsyncIterable<Record<string, unknown>>,
  { name, columns, locale }: { name: string; columns: readonly string[]; locale: Locale },
): FileOutput {
  const writer = () => stringify({ ...FORMAT, columns: [...columns], delimiter: delimiterOf(locale) });
  return new FileOutput(
    { open: () => Readable.from(rows).compose(writer()) as Readable },
    { type: CSV_DOWNLOAD.file, name },
  );
}

const BATCH = 1000;

/** Prisma arguments for one batch. The query must order by a unique sequence that ends with the id. */
export interface Batch {
  take: number;
  cursor?: { id: number };
  skip?: number;
}

export async function* inBatches<Row extends { id: number }>(read: (batch: Batch) => Promise<Row[]>) {
  for (let last: number | undefined; ; ) {
    const rows = await read({ take: BATCH, ...(last !== undefined && { cursor: { id: last }, skip: 1 }) });
    yield* rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1)!.id;
  }
}

/** Returns rows as comma-separated CSV text, with the keys of the first row as header. */
export function csvText(rows: readonly Record<string, unknown>[]): string {
  return stringifyAll([...rows], { ...FORMAT, columns: Object.keys(rows[0] ?? {}) });
}

/** Spreadsheets in languages with a decimal comma expect semicolons. */
function delimiterOf(locale: Locale): ";" | "," {
  return decimalMark(locale) === "," ? ";" : ",";
}
