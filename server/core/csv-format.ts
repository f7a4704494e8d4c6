import type { Options } from "csv-stringify";
import { getDecimalMark, type Locale } from "./locale";

/* CSV for spreadsheets, the same from server and browser. */

/** Start of a formula or command in a spreadsheet, also after spaces and in full-width characters. */
const FORMULA_START = /^(\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|[\t\r\n])/u;

/** Byte order mark, CRLF, and an apostrophe in front of formulas. */
export const CSV_FORMAT: Options = {
  header: true,
  bom: true,
  quoted: true,
  quoted_empty: true,
  record_delimiter: "windows",
  cast: { boolean: String, string: (text) => (FORMULA_START.test(text) ? `'${text}` : text) },
};

/** Spreadsheets in languages with a decimal comma expect semicolons. */
export function getDelimiter(locale: Locale): ";" | "," {
  return getDecimalMark(locale) === "," ? ";" : ",";
}
