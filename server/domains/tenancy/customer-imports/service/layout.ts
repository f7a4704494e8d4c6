import { hasAddress } from "./clean";
import { headingOf } from "./headings";
import type { Line, Table } from "./table";

const HEAD = 60;

export interface Layout {
  heading: number | null;
  first: number;
}

/**
 * Of the rows before the first address, picks the one with most known headings, else the widest. Null if the
 * first row has an address or number and is not a title.
 */
export function layoutOf(lines: readonly Line[]): Layout {
  const rows = lines.slice(0, HEAD).map(({ cells }) => cells);
  const address = rows.findIndex((cells) => cells.some(hasAddress));
  const least = Math.min(2, Math.max(0, ...rows.map(filled)));
  let [heading, highest]: [number | null, number] = [null, -1];
  for (const [index, cells] of rows.slice(0, address < 0 ? HEAD : address).entries()) {
    const { known, exact } = meaningsOf(cells);
    if (filled(cells) < least || (known.size < 2 && cells.some(isNumber))) continue;
    const score = (known.size * 10 + exact.size) * 1000 + (address < 0 ? 0 : filled(cells));
    if (score > highest) [heading, highest] = [index, score];
  }
  if (highest < 20_000) heading = headingBelowTitle(lines.slice(0, HEAD), address) ?? heading;
  if (heading !== null) return { heading, first: heading + 1 };
  const first = rows.findIndex((cells) => filled(cells) >= least || cells.some(hasAddress));
  return { heading: null, first: Math.max(0, first) };
}

const TITLES = 2;

/** The title above is narrower, or an empty line follows it. */
function headingBelowTitle(lines: readonly Line[], address: number): number | undefined {
  const heading = headingIn(lines);
  if (heading === undefined || heading < address) return undefined;
  const titles = lines.slice(0, heading).filter(({ cells }) => cells.some(hasAddress));
  const hasGap = lines[heading]!.row > lines[heading - 1]!.row + 1;
  const isNarrower = titles.every(({ cells }) => filled(cells) < filled(lines[heading]!.cells));
  return titles.length <= TITLES && (hasGap || isNarrower) ? heading : undefined;
}

/** Returns the first row that can only be headings: an address and another field, and no value. */
function headingIn(lines: readonly Line[]): number | undefined {
  const index = lines.slice(0, HEAD).findIndex(({ cells }) => {
    const { known } = meaningsOf(cells);
    return known.size > 1 && known.has("email") && !cells.some(hasAddress) && !cells.some(isNumber);
  });
  return index < 0 ? undefined : index;
}

function meaningsOf(cells: readonly string[]) {
  const headings = cells.map(headingOf).filter((heading) => heading !== undefined);
  return {
    known: new Set(headings.map(({ meaning }) => meaning)),
    exact: new Set(headings.filter(({ isExact }) => isExact).map(({ meaning }) => meaning)),
  };
}

const filled = (cells: readonly string[]) => cells.filter(Boolean).length;

/** A phone number, date or amount, which is never a heading. */
const isNumber = (cell: string) => /^[+(]?\d[\d\s().,:/+-]*$/.test(cell);

/** Returns the table with or without headings: the first row, unless another one can only be headings. */
export function withHeadings({ columns, headingRow, rows }: Table, hasHeadings: boolean): Table {
  if (hasHeadings === (headingRow !== null)) return { columns, headingRow, rows };
  if (headingRow === null && rows.length > 0) {
    const { row, cells } = rows[headingIn(rows) ?? 0]!;
    return { columns: cells, headingRow: row, rows: rows.filter((line) => line.row !== row) };
  }
  const row = headingRow ?? 1;
  const [above, below] = [rows.filter((line) => line.row < row), rows.filter((line) => line.row >= row)];
  return {
    columns: columns.map(() => ""),
    headingRow: null,
    rows: [...above, { row, cells: columns }, ...below],
  };
}
