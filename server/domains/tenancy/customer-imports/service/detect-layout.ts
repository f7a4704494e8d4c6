import { hasAddress } from "./cell-values";
import { parseHeading } from "./headings";
import type { Table, TableRow } from "./table";

const MAX_HEAD_ROWS = 60;

export interface Layout {
  heading: number | null;
  first: number;
}

/**
 * Finds the heading row: before the first address, the row with most known headings, else the widest one.
 * The index is null without a header.
 */
export function detectLayout(lines: readonly TableRow[]): Layout {
  const rows = lines.slice(0, MAX_HEAD_ROWS).map(({ cells }) => cells);
  const addressIndex = rows.findIndex((cells) => cells.some(hasAddress));
  const minFilled = Math.min(2, Math.max(0, ...rows.map(countFilled)));
  let [heading, highestScore]: [number | null, number] = [null, -1];
  for (const [index, cells] of rows.slice(0, addressIndex < 0 ? MAX_HEAD_ROWS : addressIndex).entries()) {
    const { known, exact } = collectMeanings(cells);
    if (countFilled(cells) < minFilled || (known.size < 2 && cells.some(isNumber))) continue;
    const score = (known.size * 10 + exact.size) * 1000 + (addressIndex < 0 ? 0 : countFilled(cells));
    if (score > highestScore) [heading, highestScore] = [index, score];
  }
  if (highestScore < 20_000)
    heading = headingBelowTitle(lines.slice(0, MAX_HEAD_ROWS), addressIndex) ?? heading;
  if (heading !== null) return { heading, first: heading + 1 };
  const firstIndex = rows.findIndex((cells) => countFilled(cells) >= minFilled || cells.some(hasAddress));
  return { heading: null, first: Math.max(0, firstIndex) };
}

const MAX_TITLES = 2;

/** Finds headings below a title that contains an address. A title is narrower or ends with an empty line. */
function headingBelowTitle(lines: readonly TableRow[], addressIndex: number): number | undefined {
  const heading = findHeadingIndex(lines);
  if (heading === undefined || heading < addressIndex) return undefined;
  const titles = lines.slice(0, heading).filter(({ cells }) => cells.some(hasAddress));
  const hasGap = lines[heading]!.row > lines[heading - 1]!.row + 1;
  const isNarrower = titles.every(({ cells }) => countFilled(cells) < countFilled(lines[heading]!.cells));
  return titles.length <= MAX_TITLES && (hasGap || isNarrower) ? heading : undefined;
}

/** Returns the first row that can only be headings: an address and another field, and no value. */
function findHeadingIndex(lines: readonly TableRow[]): number | undefined {
  const index = lines.slice(0, MAX_HEAD_ROWS).findIndex(({ cells }) => {
    const { known } = collectMeanings(cells);
    return known.size > 1 && known.has("email") && !cells.some(hasAddress) && !cells.some(isNumber);
  });
  return index < 0 ? undefined : index;
}

function collectMeanings(cells: readonly string[]) {
  const headings = cells.map(parseHeading).filter((heading) => heading !== undefined);
  return {
    known: new Set(headings.map(({ meaning }) => meaning)),
    exact: new Set(headings.filter(({ isExact }) => isExact).map(({ meaning }) => meaning)),
  };
}

const countFilled = (cells: readonly string[]) => cells.filter(Boolean).length;

/** A phone number, date or amount, which is never a heading. */
const isNumber = (cell: string) => /^[+(]?\d[\d\s().,:/+-]*$/.test(cell);

/** Returns the table with or without headings: the first row, unless another one can only be headings. */
export function withHeadings({ columns, headingRow, rows }: Table, hasHeadings: boolean): Table {
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
