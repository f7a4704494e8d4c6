import { invalidField } from "@/server/core/errors";
import { IMPORT_MAX_COLUMNS, IMPORT_MAX_ROWS } from "../policy";
import { cleanCell } from "./cell-values";
import { type CsvRow, parseRows, UnclosedQuoteError } from "./csv-rows";
import { decodeFile } from "./decode";
import { detectLayout } from "./detect-layout";
import { detectSeparator, splitPastedLines } from "./detect-separator";
import { detectForeignKind } from "./foreign-files";
import type { Table, TableRow } from "./table";

const MAX_READ_ROWS = 10 * IMPORT_MAX_ROWS;
const MAX_ROWS_ABOVE_HEADING = 20;

/** Detects encoding, separator and headings. Throws `validation` for anything but a table. */
export function readTable(bytes: Uint8Array): Table {
  const foreignKind = detectForeignKind(bytes);
  if (foreignKind) throw invalidField("file", `import_is_${foreignKind}`);
  const decodeResult = decodeFile(bytes);
  if ("problem" in decodeResult) throw invalidField("file", `import_is_${decodeResult.problem}`);
  const lines = parseLines(normaliseLineEnds(trimEmptyEnd(decodeResult.text)));
  const { headingIndex, firstRowIndex } = detectLayout(lines);
  const rows = lines.slice(firstRowIndex);
  if (rows.length === 0) throw invalidField("file", "import_unreadable");
  if (rows.length > IMPORT_MAX_ROWS) throw invalidField("file", "import_too_long", { max: IMPORT_MAX_ROWS });
  const headingLine = headingIndex === null ? undefined : lines[headingIndex];
  const width = Math.max(headingLine?.cells.length ?? 0, ...rows.map(({ cells }) => cells.length));
  const padCells = (cells: readonly string[]) =>
    Array.from({ length: width }, (_, index) => cells[index] ?? "");
  return {
    columns: padCells(headingLine?.cells ?? []),
    headingRow: headingLine?.row ?? null,
    rows: rows.map(({ row, cells }) => ({ row, cells: padCells(cells) })),
  };
}

function parseLines(text: string): TableRow[] {
  const lines: TableRow[] = [];
  let firstIndex: number | undefined;
  for (const { index, cells } of splitPastedLines(readRawRows(text))) {
    const cleanCells = cells.map(cleanCell);
    while (cleanCells.at(-1) === "") cleanCells.pop();
    if (cleanCells.length === 0) continue;
    if (cleanCells.length > IMPORT_MAX_COLUMNS) throw createTooWideError(cleanCells.length);
    firstIndex ??= index;
    lines.push({ row: index - firstIndex + 1, cells: cleanCells });
  }
  return lines;
}

function readRawRows(text: string): CsvRow[] {
  const { separator, startIndex } = detectSeparator(text);
  const rows: CsvRow[] = [];
  let readRowCount = 0;
  try {
    for (const row of parseRows(text, separator, startIndex)) {
      const { cells } = row;
      while (cells.length > 0 && !cells.at(-1)!.trim()) cells.pop();
      if (cells.length > IMPORT_MAX_COLUMNS) throw createTooWideError(cells.length);
      if (cells.length > 0) rows.push(row);
      if (++readRowCount > MAX_READ_ROWS || rows.length > IMPORT_MAX_ROWS + MAX_ROWS_ABOVE_HEADING)
        throw invalidField("file", "import_too_long", { max: IMPORT_MAX_ROWS });
    }
  } catch (error) {
    if (!(error instanceof UnclosedQuoteError)) throw error;
    throw invalidField("file", "import_quote_open", { line: error.line, column: error.column });
  }
  return rows;
}

const createTooWideError = (columnCount: number) =>
  invalidField("file", "import_too_wide", { max: IMPORT_MAX_COLUMNS, columns: columnCount });

/** Removes the rows of separators that spreadsheets append for rows without values. */
function trimEmptyEnd(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\r\n,;|\x1A".includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Unicode line separators end lines only if the text has no other line ends. Otherwise they are content. */
const normaliseLineEnds = (text: string) =>
  /[\r\n]/.test(text) ? text : text.replace(/[\x85\u2028\u2029]/g, "\n");
