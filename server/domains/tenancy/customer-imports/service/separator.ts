import { IMPORT_MAX_COLUMNS } from "../policy";
import { type Row, rowsOf } from "./cells";
import { cleanCell, hasAddress, isAddressList } from "./clean";
import { headingOf } from "./headings";

const HEAD = 60;
const HEAD_LENGTH = 200_000;
const SEPARATORS = [";", "\t", "|", ","];
/** Also in times, links and names: used only if no other separator isolates addresses. */
const RARE_SEPARATORS = [":", "^", "~", "،", "؛", "；", "，"];

/** Spreadsheets read `sep=;` before a table as its separator. */
const HINT = /^\s*["']?sep=(\\t|[^\w\s"']|\t)["']?[;,|\t ]*(\r\n?|\n|$)/i;

/** Picks the separator that isolates most addresses, then splits most rows; `sep=` wins a tie. */
export function separatorOf(text: string): { separator: string; start: number } {
  const [line = "", hintText] = HINT.exec(text.slice(0, 100)) ?? [];
  const hint = hintText === "\\t" ? "\t" : hintText;
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
    // A wrong separator splits a list of addresses and joins the first one to the previous cell.
    if (lists.length < withAddress.length) score -= 0.01;
  }
  return score;
}

/** With a wrong separator or a cut text, a quotation mark may be unclosed. */
function firstRows(head: string, separator: string): Row[] {
  const rows: Row[] = [];
  try {
    for (const row of rowsOf(head, separator)) if (rows.push(row) === HEAD) break;
  } catch {}
  return rows;
}

/** A row that is one quoted cell, as when lines are pasted into one column. */
const isWrapped = ({ cells, isQuoted }: Row) => isQuoted && cells.slice(1).every((cell) => !cell.trim());

const wrappedText = (rows: readonly Row[]) =>
  rows
    .filter(isWrapped)
    .map(({ cells }) => cells[0])
    .join("\n");

/** Splits lines that were pasted into one column: all rows, or those with an address or headings. */
export function splitPastedLines(rows: readonly Row[]): readonly Row[] {
  const isSingle = rows.every(({ cells }) => cells.length < 2);
  const text = isSingle ? rows.map(({ cells }) => cells[0]).join("\n") : wrappedText(rows);
  if (!text) return rows;
  const { separator } = separatorOf(text);
  return rows.map((row) => {
    if (!isSingle && !isWrapped(row)) return row;
    const [line, ...others] = firstRows(row.cells[0]!, separator);
    // Several lines in one cell come from an unclosed quotation mark; keep them.
    if (!line || others.length > 0) return row;
    const { cells } = line;
    const isLine = isSingle || cells.some(hasAddress) || cells.filter(headingOf).length > 1;
    return isLine ? { ...row, cells } : row;
  });
}
