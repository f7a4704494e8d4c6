import { parse } from "csv-parse/sync";
import { invalid } from "@/server/core/errors";
import { fold } from "@/server/core/fold";
import { IMPORT_MAX_COLUMNS, IMPORT_MAX_ROWS, type ImportField } from "../policy";

/** Characters that are kept of a cell; no field takes as many. */
const CELL = 500;

/** Words of headings in the product's languages, folded. */
const WORDS: Record<ImportField, readonly string[]> = {
  email: ["mail", "posta", "почт", "courriel", "بريد"],
  phone: ["phone", "tel", "gsm", "cep", "mobil", "тел", "هاتف", "جوال"],
  name: [
    "name",
    "isim",
    "ad",
    "musteri",
    "unvan",
    "customer",
    "kunde",
    "client",
    "nom",
    "nome",
    "имя",
    "фио",
    "клиент",
    "اسم",
  ],
};

/**
 * Reads a CSV file: the headings, then the rows. UTF-8 or UTF-16 with or without its mark, else Latin-5, as older
 * spreadsheets write Turkish. Throws `validation` for what is no such table.
 */
export function readTable(bytes: Uint8Array): string[][] {
  const text = decoded(bytes);
  if (/(?![\t\n\v\f\r])\p{Cc}/u.test(text)) throw invalid("file", "import_unreadable");
  let rows: string[][];
  try {
    rows = parse(text, {
      delimiter: delimiterOf(text),
      bom: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    });
  } catch {
    throw invalid("file", "import_unreadable");
  }
  if (rows.length < 2 || rows[0]!.length > IMPORT_MAX_COLUMNS) throw invalid("file", "import_unreadable");
  if (rows.length > IMPORT_MAX_ROWS + 1) throw invalid("file", "import_too_long", { max: IMPORT_MAX_ROWS });
  const width = rows[0]!.length;
  return rows.map((row) =>
    Array.from({ length: width }, (_, index) => (row[index] ?? "").slice(0, CELL).replace(SHIELD, "")),
  );
}

/** The apostrophe that our own lists put before what a spreadsheet would run, such as a telephone with its plus. */
const SHIELD = /^'(?=[=+\-@])/;

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1254").decode(bytes);
  }
}

/** What separates the headings most often. */
function delimiterOf(text: string): string {
  const line = text.split(/\r?\n/, 1)[0] ?? "";
  const outside = line.replace(/"[^"]*"/g, "");
  const times = (each: string) => outside.split(each).length;
  return [",", ";", "\t"].toSorted((a, b) => times(b) - times(a))[0]!;
}

/** The columns that are probably meant, by their headings. */
export function guess(columns: readonly string[]): Record<ImportField, number | null> {
  const taken = new Set<number>();
  const found = { name: null, email: null, phone: null } as Record<ImportField, number | null>;
  // The most telling words first: an "e-mail name" is an address.
  for (const field of ["email", "phone", "name"] as const) {
    const at = columns.findIndex(
      (column, index) => !taken.has(index) && WORDS[field].some((word) => fold(column).includes(word)),
    );
    if (at < 0) continue;
    taken.add(at);
    found[field] = at;
  }
  return found;
}
