import { Readable } from "node:stream";
import { type Options, stringify } from "csv-stringify";
import { stringify as stringifyAll } from "csv-stringify/sync";
import { FileOutput } from "./contract";
import { CSV_DOWNLOAD } from "./list";
import { decimalMark, type Locale } from "./locale";

/** What a spreadsheet would take for a formula or a command, behind spaces and in wide characters, too. */
const FORMULA = /^(\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|[\t\r\n])/u;

/** As spreadsheets read it: UTF-8 with a mark, lines end with CRLF; a text that would run gets an apostrophe before it. */
const FORMAT: Options = {
  header: true,
  bom: true,
  quoted: true,
  quoted_empty: true,
  record_delimiter: "windows",
  cast: { boolean: String, string: (text) => (FORMULA.test(text) ? `'${text}` : text) },
};

/** A list as a CSV file whose rows are read while it is sent, so it may be of any length. */
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

/** Rows that are read at once. */
const BATCH = 1000;

/** What a reader of Prisma takes for one batch, in an order that ends with the id. */
export interface Batch {
  take: number;
  cursor?: { id: number };
  skip?: number;
}

/** All rows of a list, one batch after the other. */
export async function* inBatches<Row extends { id: number }>(read: (batch: Batch) => Promise<Row[]>) {
  for (let last: number | undefined; ; ) {
    const rows = await read({ take: BATCH, ...(last !== undefined && { cursor: { id: last }, skip: 1 }) });
    yield* rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1)!.id;
  }
}

/** Rows as the text of a CSV with commas; the first row names the columns. */
export function csvText(rows: readonly Record<string, unknown>[]): string {
  return stringifyAll([...rows], { ...FORMAT, columns: Object.keys(rows[0] ?? {}) });
}

/** A semicolon where the comma is decimal: spreadsheets of such a language split by it. */
function delimiterOf(locale: Locale): ";" | "," {
  return decimalMark(locale) === "," ? ";" : ",";
}
