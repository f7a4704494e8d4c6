import { IMPORT_MAX_COLUMNS } from "../policy";
import { cleanCell, hasAddress, isAddressList } from "./cell-values";
import { type CsvRow, parseRows } from "./csv-rows";
import { parseHeading } from "./headings";

const MAX_HEAD_ROWS = 60;
const MAX_HEAD_LENGTH = 200_000;
const SEPARATORS = [";", "\t", "|", ","];
/** Frequent in times, links and names: used only if no other separator isolates addresses. */
const RARE_SEPARATORS = [":", "^", "~", "،", "؛", "；", "，"];

/** Spreadsheets read `sep=;` before a table as its separator. */
const SEPARATOR_HINT = /^\s*["']?sep=(\\t|[^\w\s"']|\t)["']?[;,|\t ]*(\r\n?|\n|$)/i;

/** Picks the separator that isolates most addresses, then splits most rows; `sep=` wins a tie. */
export function detectSeparator(text: string): { separator: string; startIndex: number } {
  const [hintLine = "", hintText] = SEPARATOR_HINT.exec(text.slice(0, 100)) ?? [];
  const hint = hintText === "\\t" ? "\t" : hintText;
  const head = text.slice(hintLine.length, hintLine.length + MAX_HEAD_LENGTH);
  const bestResult = findBestSeparator(head, [...(hint ? [hint] : []), ...SEPARATORS]);
  // A score above MAX_HEAD_ROWS means that a row has an address in a cell of its own.
  const rareResult = bestResult.score > MAX_HEAD_ROWS ? undefined : findBestSeparator(head, RARE_SEPARATORS);
  const { separator } =
    rareResult && rareResult.score > Math.max(MAX_HEAD_ROWS, bestResult.score) ? rareResult : bestResult;
  return { separator, startIndex: hintLine.length };
}

function findBestSeparator(
  head: string,
  separators: readonly string[],
): { separator: string; score: number } {
  const scores = separators.map((separator) => ({ separator, score: scoreSeparator(head, separator) }));
  return scores.toSorted((a, b) => b.score - a.score)[0]!;
}

function scoreSeparator(head: string, separator: string): number {
  const rows = readFirstRows(head, separator);
  const wrappedLines = joinWrappedRows(rows);
  if (!wrappedLines) return scoreRows(rows);
  return (
    scoreRows(rows) +
    Math.max(...SEPARATORS.map((innerSeparator) => scoreRows(readFirstRows(wrappedLines, innerSeparator))))
  );
}

function scoreRows(rows: readonly CsvRow[]): number {
  let score = 0;
  for (const { cells } of rows) {
    if (cells.length < 2) continue;
    const addressCells = cells
      .slice(0, IMPORT_MAX_COLUMNS)
      .filter((cell) => cell.includes("@"))
      .map(cleanCell);
    const addressLists = addressCells.filter(isAddressList);
    score += addressLists.length > 0 ? 1 + MAX_HEAD_ROWS : 1;
    // A wrong separator splits a list of addresses and joins the first one to the previous cell.
    if (addressLists.length < addressCells.length) score -= 0.01;
  }
  return score;
}

/** With a wrong separator or a cut text, a quotation mark may be unclosed. */
function readFirstRows(head: string, separator: string): CsvRow[] {
  const rows: CsvRow[] = [];
  try {
    for (const row of parseRows(head, separator)) if (rows.push(row) === MAX_HEAD_ROWS) break;
  } catch {}
  return rows;
}

const isWrapped = ({ cells, isQuoted }: CsvRow) => isQuoted && cells.slice(1).every((cell) => !cell.trim());

const joinWrappedRows = (rows: readonly CsvRow[]) =>
  rows
    .filter(isWrapped)
    .map(({ cells }) => cells[0])
    .join("\n");

/** Splits lines that were pasted into one column: all rows, or those with an address or headings. */
export function splitPastedLines(rows: readonly CsvRow[]): readonly CsvRow[] {
  const isSingleColumn = rows.every(({ cells }) => cells.length < 2);
  const text = isSingleColumn ? rows.map(({ cells }) => cells[0]).join("\n") : joinWrappedRows(rows);
  if (!text) return rows;
  const { separator } = detectSeparator(text);
  return rows.map((row) => {
    if (!isSingleColumn && !isWrapped(row)) return row;
    const [line, ...otherLines] = readFirstRows(row.cells[0]!, separator);
    // Several lines in one cell come from an unclosed quotation mark; keep them.
    if (!line || otherLines.length > 0) return row;
    const { cells } = line;
    const isPastedLine = isSingleColumn || cells.some(hasAddress) || cells.filter(parseHeading).length > 1;
    return isPastedLine ? { ...row, cells } : row;
  });
}
