import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { byId, count, createdAt, expiry, message, recordId } from "@/server/core/schema";
import { IMPORT_MAX_BYTES, IMPORT_MAX_COLUMNS, IMPORT_MAX_ROWS, ROW_OUTCOMES } from "./policy";

const columnIndex = z
  .int()
  .min(0)
  .max(IMPORT_MAX_COLUMNS - 1)
  .meta({ example: 0 });
const mappingInput = z.object({
  name: columnIndex.meta({ description: "Column of the name, from 0." }),
  last_name: f.nullish(
    columnIndex,
    "Column of the last name, from 0; null if none. Its cells are appended to the name.",
    null,
  ),
  email: columnIndex.meta({ description: "Column of the email address, from 0.", example: 1 }),
  phone: f.nullish(columnIndex, "Column of the phone number, from 0; null if none.", 2),
});

const ImportSummary = z.object({
  id: recordId,
  file_name: f.nullable(z.string(), "Name of the uploaded file; null if none.", "customers.csv"),
  state: f.oneOf(
    ["uploaded", "running", "done"],
    "`uploaded` until it is started, `running` while invitations are sent, then `done`.",
  ),
  total: count.meta({ description: "Number of rows without the header." }),
  done: count.meta({ description: "Number of processed rows.", example: 0 }),
  created_at: createdAt,
});

const Import = ImportSummary.extend({
  columns: f.list(z.string(), "Column headers. A column without a header is named by its number.", [
    "Name",
    "Email",
    "Phone",
  ]),
  has_header: f.boolean("True when the file has a header row."),
  examples: f.list(
    z.string().nullable(),
    "First non-empty cell of each column, or null. Longer cells are cut to 80 characters and `…`. The list " +
      "is empty once the import is done.",
    ["Ayşe Kaya", "ayse@example.com", "0532 123 45 67"],
  ),
  sample: f.list(
    z.object({
      row: f.integer("Row number as in a spreadsheet; the first non-empty row is 1.", 2),
      cells: f.list(z.string(), "Cells in the order of `columns`, cut to 80 characters and `…` if longer.", [
        "Ayşe Kaya",
        "ayse@example.com",
        "0532 123 45 67",
      ]),
    }),
    "First five rows below the header. The list is empty once the import is done.",
  ),
  mapping: z
    .object({
      name: f.nullable(columnIndex, "Column of the name; null if unknown."),
      last_name: f.nullable(columnIndex, "Column of the last name; null if none.", null),
      email: f.nullable(columnIndex, "Column of the email address; null if unknown.", 1),
      phone: f.nullable(columnIndex, "Column of the phone number; null if none.", 2),
    })
    .meta({
      description: "Column of each field, from 0. Detected from the content until `mapImport` sets it.",
    }),
  continues_at: f.nullable(expiry, "When a paused import continues; null if it is not paused.", null),
  rows: f.list(
    z.object({
      row: f.integer("Row number as in a spreadsheet; the first non-empty row is 1.", 2),
      name: f.nullable(z.string(), "Name of the person; null if empty.", "Ayşe Kaya"),
      email: f.nullable(z.string(), "Email address; null if empty.", "ayse@example.com"),
      phone: f.nullable(z.string(), "Phone number; null if empty.", "+905321234567"),
      outcome: f.oneOf(
        ROW_OUTCOMES,
        "`ready`: valid, will be checked and invited when the import runs. `invited`: invitation emailed. " +
          "`name_invalid`, `email_invalid`, `phone_invalid`: invalid field. `formula`: a spreadsheet would " +
          "run the cell. `duplicate`: the address is in an earlier row. `invited_already`: has a pending " +
          "invitation. `has_account`: has an account. `refused`: the address is not allowed to sign up. " +
          "`mailed_enough`: got three invitation emails within an hour. `stopped`: the reseller could no " +
          "longer invite.",
      ),
    }),
    "Rows with their result. The list is empty while name or email address has no column.",
  ),
}).meta({ id: "CustomerImport", description: "Import of customers with its preview or report." });

const IMPORT_OPERATION = {
  tag: "Customers",
  access: "token",
  ...byId("CustomerImport"),
} as const;
const importOutput = f.success({ import: Import });

export const uploadImport = operation({
  id: "uploadImport",
  method: "POST",
  path: "/api/reseller/imports",
  tag: "Customers",
  summary: "Upload a CSV file of customers to invite",
  description: `One file of at most 2 MB, ${IMPORT_MAX_ROWS} rows and ${IMPORT_MAX_COLUMNS} columns, as exported by spreadsheets and address books. Encoding, separator, header and columns are detected from the content. 422 if the file is not such a table. No invitation is sent until \`runImport\`. Imports are deleted after 30 days.`,
  access: "token",
  ability: "*",
  limit: { points: 10, per: 3600, by: "account", durable: true },
  upload: { field: "file", maxBytes: IMPORT_MAX_BYTES, types: ["text/csv"] },
  status: 201,
  output: importOutput.extend({ message }),
  errors: ["agreement_unsigned"],
});

export const listImports = operation({
  id: "listImports",
  method: "GET",
  path: "/api/reseller/imports",
  tag: "Customers",
  summary: "List the latest imports of customers",
  access: "token",
  ability: "reseller:read",
  output: f.success({ imports: f.list(ImportSummary, "Latest 20 imports, newest first.") }),
  errors: ["agreement_unsigned"],
});

export const getImport = operation({
  ...IMPORT_OPERATION,
  id: "getImport",
  method: "GET",
  path: "/api/reseller/imports/{id}",
  summary: "Get an import with its preview or report",
  ability: "reseller:read",
  output: importOutput,
  errors: ["agreement_unsigned"],
});

export const mapImport = operation({
  ...IMPORT_OPERATION,
  id: "mapImport",
  method: "PUT",
  path: "/api/reseller/imports/{id}",
  summary: "Set the columns of an import",
  description:
    "Returns the preview, which checks the file only. 422 `import_begun` once the import is started.",
  ability: "*",
  body: z.object({
    mapping: f.nullish(
      mappingInput,
      "Column of each field, from 0. A column may be used once; 422 if it is repeated or not in the file. " +
        "Null or omitted keeps the mapping.",
    ),
    has_header: f.nullish(
      z.boolean(),
      "True when the file has a header row. Null or omitted keeps the current value.",
      true,
    ),
  }),
  output: importOutput.extend({ message }),
  errors: ["agreement_unsigned", "import_begun"],
});

export const runImport = operation({
  ...IMPORT_OPERATION,
  id: "runImport",
  method: "POST",
  path: "/api/reseller/imports/{id}/run",
  summary: "Start an import",
  description:
    "Invites the people in rows with the outcome `ready`, in the background. Other rows are skipped and " +
    "reported. At most 30 rows per hour can have the outcome `has_account` for accounts that are not the " +
    "reseller's; then the import pauses until `continues_at`. 422 `import_unmapped` before `mapImport`. " +
    "422 `import_begun` if the import was already started.",
  ability: "*",
  limit: { points: 10, per: 3600, by: "account", durable: true },
  output: importOutput.extend({ message }),
  errors: ["agreement_unsigned", "email_needs_verification", "import_begun", "import_unmapped"],
});
