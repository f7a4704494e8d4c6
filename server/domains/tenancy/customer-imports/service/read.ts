import { invalid } from "@/server/core/errors";
import { IMPORT_MAX_COLUMNS, IMPORT_MAX_ROWS } from "../policy";
import { OpenQuote, type Row, rowsOf } from "./cells";
import { cleanCell } from "./clean";
import { decode } from "./decode";
import { foreignKindOf } from "./foreign";
import { layoutOf } from "./layout";
import { separatorOf, unwrapped } from "./separator";
import type { Line, Table } from "./table";

/** Maximum number of rows to read, with those that have separators alone. */
const MAX_READ = 10 * IMPORT_MAX_ROWS;
/** Titles and headings that may be above the rows. */
const MAX_ABOVE = 20;

/**
 * Reads a table as spreadsheets and address books save it: encoding, separator and headings are found from the content.
 * Throws `validation` for other files.
 */
export function readTable(bytes: Uint8Array): Table {
  const foreign = foreignKindOf(bytes);
  if (foreign) throw invalid("file", `import_is_${foreign}`);
  const decoded = decode(bytes);
  if ("problem" in decoded) throw invalid("file", `import_is_${decoded.problem}`);
  const lines = linesOf(withLineEnds(withoutEnd(decoded.text)));
  const { heading, first } = layoutOf(lines);
  const rows = lines.slice(first);
  if (rows.length === 0) throw invalid("file", "import_unreadable");
  if (rows.length > IMPORT_MAX_ROWS) throw invalid("file", "import_too_long", { max: IMPORT_MAX_ROWS });
  const top = heading === null ? undefined : lines[heading];
  const width = Math.max(top?.cells.length ?? 0, ...rows.map(({ cells }) => cells.length));
  const whole = (cells: readonly string[]) => Array.from({ length: width }, (_, index) => cells[index] ?? "");
  return {
    columns: whole(top?.cells ?? []),
    headingRow: top?.row ?? null,
    rows: rows.map(({ row, cells }) => ({ row, cells: whole(cells) })),
  };
}

/** The rows that have something in them, with their cells as people read them. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let above: number | undefined;
  for (const { index, cells } of unwrapped(rawRows(text))) {
    const clean = cells.map(cleanCell);
    while (clean.at(-1) === "") clean.pop();
    if (clean.length === 0) continue;
    if (clean.length > IMPORT_MAX_COLUMNS) throw tooWide(clean.length);
    above ??= index;
    lines.push({ row: index - above + 1, cells: clean });
  }
  return lines;
}

/** Stops at the first row that is too many or too wide. */
function rawRows(text: string): Row[] {
  const { separator, start } = separatorOf(text);
  const rows: Row[] = [];
  let read = 0;
  try {
    for (const row of rowsOf(text, separator, start)) {
      const { cells } = row;
      while (cells.length > 0 && !cells.at(-1)!.trim()) cells.pop();
      if (cells.length > IMPORT_MAX_COLUMNS) throw tooWide(cells.length);
      if (cells.length > 0) rows.push(row);
      if (++read > MAX_READ || rows.length > IMPORT_MAX_ROWS + MAX_ABOVE)
        throw invalid("file", "import_too_long", { max: IMPORT_MAX_ROWS });
    }
  } catch (error) {
    if (!(error instanceof OpenQuote)) throw error;
    throw invalid("file", "import_quote_open", { line: error.line, column: error.column });
  }
  return rows;
}

const tooWide = (columns: number) => invalid("file", "import_too_wide", { max: IMPORT_MAX_COLUMNS, columns });

/** Spreadsheets save rows of separators alone behind the last one, as many as were ever touched. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\r\n,;|\x1A".includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Some editors end every line by a separator of Unicode, which is a character of a cell elsewhere. */
const withLineEnds = (text: string) =>
  /[\r\n]/.test(text) ? text : text.replace(/[\x85\u2028\u2029]/g, "\n");
