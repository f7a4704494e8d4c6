import { checkRows } from "@/server/domains/tenancy/customer-imports/service/check-rows";
import { detectMapping } from "@/server/domains/tenancy/customer-imports/service/detect-mapping";
import { readTable } from "@/server/domains/tenancy/customer-imports/service/read-table";

export function readCustomerTable(file: string | Uint8Array) {
  const table = readTable(typeof file === "string" ? Buffer.from(file) : file);
  const mapping = detectMapping(
    table.columns,
    table.rows.map(({ cells }) => cells),
  );
  const getHeading = (column: number | null) => (column === null ? null : table.columns[column]);
  return {
    table,
    columns: Object.fromEntries(
      Object.entries(mapping).map(([field, column]) => [field, getHeading(column)]),
    ),
    customers: checkRows(table, mapping).map(({ row, name, email, phone, outcome }) => [
      row,
      name,
      email,
      phone,
      outcome,
    ]),
  };
}

export const readCustomerRows = (file: string | Uint8Array) =>
  readCustomerTable(file).customers.map(([, ...fields]) => fields);

export function getImportIssue(file: string | Uint8Array): unknown {
  try {
    readCustomerTable(file);
    return undefined;
  } catch (error) {
    const { extras } = error as { extras: { issues: { file: [{ key: string; params?: object }] } } };
    const [{ key, params }] = extras.issues.file;
    return params ? [key, params] : key;
  }
}
