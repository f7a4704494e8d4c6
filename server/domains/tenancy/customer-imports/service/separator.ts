import { IMPORT_MAX_COLUMNS } from "../policy";
import { type Row, rowsOf } from "./cells";
import { cleanCell, hasAddress, isAddressList } from "./clean";
import { headingOf } from "./headings";

/** Rows and characters that are looked at to find the separator. */
const HEAD = 60;
const HEAD_LENGTH = 200_000;
const SEPARATORS = [";", "\t", "|", ","];
/** These are in times, links and names, too: they count where no other makes a cell of an address. */
const RARE_SEPARATORS = [":", "^", "~", "،", "؛", "；", "，"];

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
  const best = bestOf(head, [...(hint ? [hint] : []), ...SEPARATORS]);
  const rare = best.score > HEAD ? undefined : bestOf(head, RARE_SEPARATORS);
  const { separator } = rare && rare.score > Math.max(HEAD, best.score) ? rare : best;
  return { separator, start: line.length };
}

function bestOf(head: string, separators: readonly string[]): { separator: string; score: number } {
  const scores = separators.map((separator) => ({ separator, score: scoreOf(head, separator) }));
  return scores.toSorted((a, b) => b.score - a.score)[0]!;
}

function scoreOf(head: string, separator: string): number {
  const rows = firstRows(head, separator);
  const wrapped = wrappedText(rows);
  if (!wrapped) return scoreOfRows(rows);
  return scoreOfRows(rows) + Math.max(...SEPARATORS.map((inner) => scoreOfRows(firstRows(wrapped, inner))));
}

function scoreOfRows(rows: readonly Row[]): number {
  let score = 0;
  for (const { cells } of rows) {
    if (cells.length < 2) continue;
    const withAddress = cells
      .slice(0, IMPORT_MAX_COLUMNS)
      .filter((cell) => cell.includes("@"))
      .map(cleanCell);
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

/** Whether a row is one cell in quotation marks, as a line that was pasted into one column is saved. */
const isWrapped = ({ cells, isQuoted }: Row) => isQuoted && cells.slice(1).every((cell) => !cell.trim());

const wrappedText = (rows: readonly Row[]) =>
  rows
    .filter(isWrapped)
    .map(({ cells }) => cells[0])
    .join("\n");

/** The cells of lines that were pasted into one column: of all of them, or of those with an address or headings. */
export function unwrapped(rows: readonly Row[]): readonly Row[] {
  const isSingle = rows.every(({ cells }) => cells.length < 2);
  const text = isSingle ? rows.map(({ cells }) => cells[0]).join("\n") : wrappedText(rows);
  if (!text) return rows;
  const { separator } = separatorOf(text);
  return rows.map((row) => {
    if (!isSingle && !isWrapped(row)) return row;
    const [line, ...others] = firstRows(row.cells[0]!, separator);
    // Several lines in one cell are a mark that was not closed: none of them may be lost.
    if (!line || others.length > 0) return row;
    const { cells } = line;
    const isLine = isSingle || cells.some(hasAddress) || cells.filter(headingOf).length > 1;
    return isLine ? { ...row, cells } : row;
  });
}
