import { guess } from "@/server/domains/tenancy/customer-imports/service/guess";
import { judge } from "@/server/domains/tenancy/customer-imports/service/judge";
import { readTable } from "@/server/domains/tenancy/customer-imports/service/read";

/** Reads a table of customers, guesses its columns and judges its rows. */
export function readPeople(file: string | Uint8Array) {
  const table = readTable(typeof file === "string" ? Buffer.from(file) : file);
  const mapping = guess(
    table.columns,
    table.rows.map(({ cells }) => cells),
  );
  const heading = (column: number | null) => (column === null ? null : table.columns[column]);
  return {
    table,
    columns: Object.fromEntries(Object.entries(mapping).map(([field, column]) => [field, heading(column)])),
    people: judge(table, mapping).map(({ row, name, email, phone, outcome }) => [
      row,
      name,
      email,
      phone,
      outcome,
    ]),
  };
}

/** The people of a table without their rows. */
export const peopleOf = (file: string | Uint8Array) => readPeople(file).people.map(([, ...person]) => person);

/** The issue that reading a file throws. */
export function problemOf(file: string | Uint8Array): unknown {
  try {
    readPeople(file);
    return undefined;
  } catch (error) {
    const { extras } = error as { extras: { issues: { file: [{ key: string; params?: object }] } } };
    const [{ key, params }] = extras.issues.file;
    return params ? [key, params] : key;
  }
}
