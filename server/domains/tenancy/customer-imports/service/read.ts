import { type InfoRecord, parse } from "csv-parse/sync";
import { invalid, isAppError } from "@/server/core/errors";
import { IMPORT_MAX_COLUMNS, IMPORT_MAX_ROWS } from "../policy";
import type { Line, Table } from "./table";

/** Characters that are kept of a cell; no field takes as many. */
const CELL = 500;
/** Rows that are looked at: those of separators alone are none, but cost as much to read. */
const LOOKED_AT = 10 * IMPORT_MAX_ROWS;

/**
 * Reads a CSV file: the headings, then the rows that are not empty. UTF-8 or UTF-16 with or without its mark, else
 * Latin-5, as older spreadsheets write Turkish. Throws `validation` for what is no such table.
 */
export function readTable(bytes: Uint8Array): Table {
  const text = withoutEnd(decoded(bytes));
  if (/(?![\t\n\v\f\r])\p{Cc}/u.test(text)) throw invalid("file", "import_unreadable");
  const [headings, ...rows] = linesOf(text);
  const width = headings?.cells.length ?? 0;
  if (!headings || rows.length === 0 || width > IMPORT_MAX_COLUMNS)
    throw invalid("file", "import_unreadable");
  const cut = ({ cells }: Line) => Array.from({ length: width }, (_, index) => cellOf(cells[index] ?? ""));
  // The table begins with its headings, wherever they are in the file.
  const place = ({ row }: Line) => row - headings.row + 1;
  return { columns: cut(headings), rows: rows.map((line) => ({ row: place(line), cells: cut(line) })) };
}

/** The lines that have something in them; the others count. Stops at the first that is too many. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  const keep = (cells: string[], { records, empty_lines }: InfoRecord) => {
    if (cells.some((cell) => cell.trim())) lines.push({ row: records + empty_lines, cells });
    if (lines.length > IMPORT_MAX_ROWS + 1 || records > LOOKED_AT)
      throw invalid("file", "import_too_long", { max: IMPORT_MAX_ROWS });
    return null;
  };
  try {
    const delimiter = delimiterOf(text);
    parse(text, {
      delimiter,
      bom: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: keep,
    });
  } catch (error) {
    throw isAppError(error) ? error : invalid("file", "import_unreadable");
  }
  return lines;
}

/** Spreadsheets save rows of separators alone behind the last one, as many as were ever touched. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\r\n,;".includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** The cut may go through a pair of surrogates, whose half no database takes. */
const cellOf = (text: string) => text.slice(0, CELL).toWellFormed().replace(SHIELD, "");

/** The apostrophe that our own lists put before what a spreadsheet would run, such as a telephone with its plus. */
const SHIELD = /^'(?=[=+\-@])/;

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1254").decode(bytes);
  }
}

/** What separates the headings most often. */
function delimiterOf(text: string): string {
  const line = text.split(/\r?\n/, 1)[0] ?? "";
  const outside = line.replace(/"[^"]*"/g, "");
  const times = (each: string) => outside.split(each).length;
  return [",", ";", "\t"].toSorted((a, b) => times(b) - times(a))[0]!;
}
