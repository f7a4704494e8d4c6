import { guess } from "@/server/domains/tenancy/customer-imports/service/guess";
import { judge } from "@/server/domains/tenancy/customer-imports/service/judge";
import { readTable } from "@/server/domains/tenancy/customer-imports/service/read";

/** Reads a customer table, guesses its columns and checks its rows. */
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

export const peopleOf = (file: string | Uint8Array) => readPeople(file).people.map(([, ...person]) => person);

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
