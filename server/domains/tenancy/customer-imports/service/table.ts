import * as z from "zod";

/** A file as it was read: its headings, and the rows below them that have something in them. */
export interface Table {
  /** Empty texts when no row has headings. */
  columns: string[];
  /** The row of the headings; null when the file has none. */
  headingRow: number | null;
  rows: Line[];
}

/** A row with its number in the file as spreadsheets show it; the first row that is not empty is 1. */
export interface Line {
  row: number;
  cells: string[];
}

/**
 * A table as it is stored: the cells of each row, the headings first. A row's place is behind its cells, where releases
 * that count rows themselves do not look.
 */
export function stored({ columns, rows }: Table): string[][] {
  return [columns, ...rows.map(({ row, cells }) => [...cells, String(row)])];
}

/** The table that was stored; rows of earlier releases have no place, and follow one another. */
export function storedTable(stored: unknown, headingRow: number | null): Table {
  const [columns = [], ...rows] = z.array(z.array(z.string())).parse(stored);
  return {
    columns,
    headingRow,
    rows: rows.map((cells, index) => ({
      row: Number(cells[columns.length] ?? index + 2),
      cells: cells.slice(0, columns.length),
    })),
  };
}
