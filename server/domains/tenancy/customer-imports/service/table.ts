import * as z from "zod";

export interface Table {
  columns: string[];
  headingRow: number | null;
  rows: TableRow[];
}

/** `row` counts as spreadsheets do; the first non-empty row is 1. */
export interface TableRow {
  row: number;
  cells: string[];
}

/** Headings first, then the cells of each row and its number. Older releases ignore the extra cell. */
export function toStoredRows({ columns, rows }: Table): string[][] {
  return [columns, ...rows.map(({ row, cells }) => [...cells, String(row)])];
}

/** Rows stored by older releases have no number; they are numbered from 2, below the headings. */
export function parseStoredTable(storedRows: unknown, headingRow: number | null): Table {
  const [columns = [], ...rows] = z.array(z.array(z.string())).parse(storedRows);
  return {
    columns,
    headingRow,
    rows: rows.map((cells, index) => ({
      row: Number(cells[columns.length] ?? index + 2),
      cells: cells.slice(0, columns.length),
    })),
  };
}
