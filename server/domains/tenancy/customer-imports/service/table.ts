import * as z from "zod";

export interface Table {
  columns: string[];
  headingRow: number | null;
  rows: Line[];
}

/** `row` counts as spreadsheets do; the first non-empty row is 1. */
export interface Line {
  row: number;
  cells: string[];
}

/** Headings first; the row number follows the cells, where older releases ignore it. */
export function toStoredRows({ columns, rows }: Table): string[][] {
  return [columns, ...rows.map(({ row, cells }) => [...cells, String(row)])];
}

/** Parses stored rows. Rows of older releases have no number and count up. */
export function parseStoredTable(toStoredRows: unknown, headingRow: number | null): Table {
  const [columns = [], ...rows] = z.array(z.array(z.string())).parse(toStoredRows);
  return {
    columns,
    headingRow,
    rows: rows.map((cells, index) => ({
      row: Number(cells[columns.length] ?? index + 2),
      cells: cells.slice(0, columns.length),
    })),
  };
}
