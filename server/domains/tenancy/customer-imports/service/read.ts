import { invalid } from "@/server/core/errors";
import { IMPORT_MAX_COLUMNS, IMPORT_MAX_ROWS } from "../policy";
import { OpenQuote, type Row, rowsOf } from "./cells";
import { cleanCell } from "./clean";
import { decode } from "./decode";
import { detectForeignKind } from "./foreign";
import { layoutOf } from "./layout";
import { separatorOf, splitPastedLines } from "./separator";
import type { Line, Table } from "./table";

const MAX_READ = 10 * IMPORT_MAX_ROWS;
const MAX_ABOVE = 20;

/** Detects encoding, separator and headings. Throws `validation` for anything but a table. */
export function readTable(bytes: Uint8Array): Table {
  const foreign = detectForeignKind(bytes);
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
  const padded = (cells: readonly string[]) =>
    Array.from({ length: width }, (_, index) => cells[index] ?? "");
  return {
    columns: padded(top?.cells ?? []),
    headingRow: top?.row ?? null,
    rows: rows.map(({ row, cells }) => ({ row, cells: padded(cells) })),
  };
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let firstIndex: number | undefined;
  for (const { index, cells } of splitPastedLines(rawRows(text))) {
    const clean = cells.map(cleanCell);
    while (clean.at(-1) === "") clean.pop();
    if (clean.length === 0) continue;
    if (clean.length > IMPORT_MAX_COLUMNS) throw tooWide(clean.length);
    firstIndex ??= index;
    lines.push({ row: index - firstIndex + 1, cells: clean });
  }
  return lines;
}

function rawRows(text: string): Row[] {
  const { separator, start } = separatorOf(text);
  const rows: Row[] = [];
  let readCount = 0;
  try {
    for (const row of rowsOf(text, separator, start)) {
      const { cells } = row;
      while (cells.length > 0 && !cells.at(-1)!.trim()) cells.pop();
      if (cells.length > IMPORT_MAX_COLUMNS) throw tooWide(cells.length);
      if (cells.length > 0) rows.push(row);
      if (++readCount > MAX_READ || rows.length > IMPORT_MAX_ROWS + MAX_ABOVE)
        throw invalid("file", "import_too_long", { max: IMPORT_MAX_ROWS });
    }
  } catch (error) {
    if (!(error instanceof OpenQuote)) throw error;
    throw invalid("file", "import_quote_open", { line: error.line, column: error.column });
  }
  return rows;
}

const tooWide = (columns: number) => invalid("file", "import_too_wide", { max: IMPORT_MAX_COLUMNS, columns });

/** Spreadsheets append rows of separators for all rows ever touched. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\r\n,;|\x1A".includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Some editors use Unicode line separators, which are cell content elsewhere. */
const withLineEnds = (text: string) =>
  /[\r\n]/.test(text) ? text : text.replace(/[\x85\u2028\u2029]/g, "\n");
