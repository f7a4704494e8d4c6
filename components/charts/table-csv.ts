import { stringify } from "csv-stringify/browser/esm/sync";
import { CSV_FORMAT, getDelimiter } from "@/server/core/csv-format";
import { getDecimalMark, type Locale } from "@/server/core/locale";

/** Saves the table's cells, with the values of `data-value` in the spreadsheet's number format. */
export function downloadTable(tableId: string, { name, locale }: { name: string; locale: Locale }): void {
  const table = document.getElementById(tableId) as HTMLTableElement;
  const [headers = [], ...rows] = [...table.rows].map((row) =>
    [...row.cells].map((cell) => readCell(cell, locale)),
  );
  const csv = stringify(rows, {
    ...CSV_FORMAT,
    columns: headers.map(String),
    delimiter: getDelimiter(locale),
  });
  const url = URL.createObjectURL(new Blob([csv], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  // Browsers read the URL after the click, so it must stay valid for a while.
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const NUMBER = /^-?\d+(\.\d+)?$/;

function readCell(cell: HTMLTableCellElement, locale: Locale): string | number {
  const { value } = cell.dataset;
  if (value === undefined || !NUMBER.test(value)) return value ?? cell.textContent ?? "";
  // A number, so that a negative one is not taken for a formula.
  return Number.isInteger(Number(value)) || getDecimalMark(locale) === "."
    ? Number(value)
    : value.replace(".", ",");
}
