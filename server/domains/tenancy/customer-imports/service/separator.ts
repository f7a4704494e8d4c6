import { type Row, rowsOf } from "./cells";
import { cleanCell, isAddressList } from "./clean";

/** Rows and characters that are looked at to find the separator. */
const HEAD = 60;
const HEAD_LENGTH = 200_000;
const SEPARATORS = [";", "\t", "|", ","];

/** Spreadsheets take `sep=;` above a table for its separator. */
const HINT = /^\s*["']?sep=(\\t|[^\w\s"']|\t)["']?[;,|\t ]*(\r\n?|\n|$)/i;

/**
 * Finds what separates the cells, and where the table begins: what makes cells of most e-mail addresses, then what splits
 * most rows, such as that of the headings. What the first line names by `sep=` comes before others that do as well.
 */
export function separatorOf(text: string): { separator: string; start: number } {
  const [line = "", written] = HINT.exec(text.slice(0, 100)) ?? [];
  const hint = written === "\\t" ? "\t" : written;
  const head = text.slice(line.length, line.length + HEAD_LENGTH);
  const scores = [...(hint ? [hint] : []), ...SEPARATORS].map((separator) => ({
    separator,
    score: scoreOf(head, separator),
  }));
  return { separator: scores.toSorted((a, b) => b.score - a.score)[0]!.separator, start: line.length };
}

function scoreOf(head: string, separator: string): number {
  let score = 0;
  for (const { cells } of firstRows(head, separator)) {
    if (cells.length < 2) continue;
    const withAddress = cells.filter((cell) => cell.includes("@")).map(cleanCell);
    const lists = withAddress.filter(isAddressList);
    score += lists.length > 0 ? 1 + HEAD : 1;
    // A wrong separator divides a list of addresses and leaves the first one joined to the cell before.
    if (lists.length < withAddress.length) score -= 0.01;
  }
  return score;
}

/** With a wrong separator or at the end of the head, a quotation mark may seem open. */
function firstRows(head: string, separator: string): Row[] {
  const rows: Row[] = [];
  try {
    for (const row of rowsOf(head, separator)) if (rows.push(row) === HEAD) break;
  } catch {}
  return rows;
}

/** The cells of rows that are one quoted cell each, as a table pasted into one column is saved. */
export function unwrapped(rows: readonly Row[]): readonly Row[] {
  if (rows.length === 0 || rows.some(({ cells }) => cells.length > 1)) return rows;
  const { separator } = separatorOf(rows.map(({ cells }) => cells[0]).join("\n"));
  return rows.map(({ index, cells }) => ({
    index,
    cells: firstRows(cells[0]!, separator)[0]?.cells ?? cells,
  }));
}
