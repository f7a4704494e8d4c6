import { stringify } from "csv-stringify/browser/esm/sync";
import { CSV_FORMAT, getDelimiter } from "@/server/core/csv-format";
import { getDecimalMark, type Locale } from "@/server/core/locale";

interface CsvColumn {
  label: string;
  values: readonly (string | number | null)[];
}

/** Saves columns as CSV, with numbers as the spreadsheet of the language reads them. */
export function saveCsv({
  name,
  locale,
  columns,
}: {
  name: string;
  locale: Locale;
  columns: CsvColumn[];
}): void {
  const rows = (columns[0]?.values ?? []).map((_, index) =>
    columns.map(({ values }) => formatCell(values[index] ?? null, locale)),
  );
  const csv = stringify(rows, {
    ...CSV_FORMAT,
    columns: columns.map(({ label }) => label),
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

function formatCell(value: string | number | null, locale: Locale): string | number | null {
  // A whole number stays one, so that a negative one is not taken for a formula.
  if (typeof value !== "number" || Number.isInteger(value)) return value;
  return getDecimalMark(locale) === "," ? String(value).replace(".", ",") : value;
}
