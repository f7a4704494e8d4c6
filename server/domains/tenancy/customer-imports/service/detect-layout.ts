import { hasAddress } from "./cell-values";
import { parseHeading } from "./headings";
import type { Table, TableRow } from "./table";

const MAX_HEAD_ROWS = 60;

export interface Layout {
  headingIndex: number | null;
  firstRowIndex: number;
}

/** Finds the row above the first address with most known headings, or else the widest; null for neither. */
export function detectLayout(lines: readonly TableRow[]): Layout {
  const rows = lines.slice(0, MAX_HEAD_ROWS).map(({ cells }) => cells);
  const addressIndex = rows.findIndex((cells) => cells.some(hasAddress));
  const minFilled = Math.min(2, Math.max(0, ...rows.map(countFilled)));
  let [headingIndex, highestScore]: [number | null, number] = [null, -1];
  for (const [index, cells] of rows.slice(0, addressIndex < 0 ? MAX_HEAD_ROWS : addressIndex).entries()) {
    const { knownMeanings, exactMeanings } = collectMeanings(cells);
    if (countFilled(cells) < minFilled || (knownMeanings.size < 2 && cells.some(looksLikeNumber))) continue;
    const score =
      (knownMeanings.size * 10 + exactMeanings.size) * 1000 + (addressIndex < 0 ? 0 : countFilled(cells));
    if (score > highestScore) [headingIndex, highestScore] = [index, score];
  }
  // Fewer than two known headings score below 20,000.
  if (highestScore < 20_000)
    headingIndex = findHeadingBelowTitle(lines.slice(0, MAX_HEAD_ROWS), addressIndex) ?? headingIndex;
  if (headingIndex !== null) return { headingIndex, firstRowIndex: headingIndex + 1 };
  const firstIndex = rows.findIndex((cells) => countFilled(cells) >= minFilled || cells.some(hasAddress));
  return { headingIndex: null, firstRowIndex: Math.max(0, firstIndex) };
}

const MAX_TITLE_ROWS = 2;

/** Finds headings below a title that contains an address. A title is narrower or ends with an empty line. */
function findHeadingBelowTitle(lines: readonly TableRow[], addressIndex: number): number | undefined {
  const headingIndex = findHeadingIndex(lines);
  if (headingIndex === undefined || headingIndex < addressIndex) return undefined;
  const titles = lines.slice(0, headingIndex).filter(({ cells }) => cells.some(hasAddress));
  const hasGap = lines[headingIndex]!.row > lines[headingIndex - 1]!.row + 1;
  const isNarrower = titles.every(
    ({ cells }) => countFilled(cells) < countFilled(lines[headingIndex]!.cells),
  );
  return titles.length <= MAX_TITLE_ROWS && (hasGap || isNarrower) ? headingIndex : undefined;
}

function findHeadingIndex(lines: readonly TableRow[]): number | undefined {
  const index = lines.slice(0, MAX_HEAD_ROWS).findIndex(({ cells }) => {
    const { knownMeanings } = collectMeanings(cells);
    return (
      knownMeanings.size > 1 &&
      knownMeanings.has("email") &&
      !cells.some(hasAddress) &&
      !cells.some(looksLikeNumber)
    );
  });
  return index < 0 ? undefined : index;
}

function collectMeanings(cells: readonly string[]) {
  const headings = cells.map(parseHeading).filter((heading) => heading !== undefined);
  return {
    knownMeanings: new Set(headings.map(({ meaning }) => meaning)),
    exactMeanings: new Set(headings.filter(({ isExact }) => isExact).map(({ meaning }) => meaning)),
  };
}

const countFilled = (cells: readonly string[]) => cells.filter(Boolean).length;

/** A phone number, date or amount, which is never a heading. */
const looksLikeNumber = (cell: string) => /^[+(]?\d[\d\s().,:/+-]*$/.test(cell);

/** Adds or removes headings. New headings are the row of `findHeadingIndex`, or else the first row. */
export function setHasHeadings({ columns, headingRow, rows }: Table, hasHeadings: boolean): Table {
  if (hasHeadings === (headingRow !== null)) return { columns, headingRow, rows };
  if (headingRow === null && rows.length > 0) {
    const { row, cells } = rows[findHeadingIndex(rows) ?? 0]!;
    return { columns: cells, headingRow: row, rows: rows.filter((line) => line.row !== row) };
  }
  const row = headingRow ?? 1;
  const [rowsAbove, rowsBelow] = [
    rows.filter((line) => line.row < row),
    rows.filter((line) => line.row >= row),
  ];
  return {
    columns: columns.map(() => ""),
    headingRow: null,
    rows: [...rowsAbove, { row, cells: columns }, ...rowsBelow],
  };
}
