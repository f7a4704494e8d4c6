import { stringify } from "csv-stringify/browser/esm/sync";
import { saveFile } from "@/components/ui/export-text";
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
  saveFile(`${name}.csv`, csv, "text/csv;charset=utf-8");
}

function formatCell(value: string | number | null, locale: Locale): string | number | null {
  // A whole number stays one, so that a negative one is not taken for a formula.
  if (typeof value !== "number" || Number.isInteger(value)) return value;
  return getDecimalMark(locale) === "," ? String(value).replace(".", ",") : value;
}
