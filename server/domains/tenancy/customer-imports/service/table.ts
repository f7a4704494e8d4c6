import * as z from "zod";

/** A file as it was read: its headings, and the rows below them that have something in them. */
export interface Table {
  columns: string[];
  rows: Line[];
}

/** A row with its place in the file's table, where the headings are row 1 and empty lines count. */
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
export const StoredTable = z.array(z.array(z.string())).transform(
  ([columns = [], ...rows]): Table => ({
    columns,
    rows: rows.map((cells, index) => ({
      row: Number(cells[columns.length] ?? index + 2),
      cells: cells.slice(0, columns.length),
    })),
  }),
);
