import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, expiry, message, pathId, recordId, success, timestamp } from "@/server/core/schema";
import { IMPORT_MAX_BYTES, IMPORT_MAX_COLUMNS, IMPORT_MAX_ROWS, OUTCOMES } from "./policy";

const column = z
  .int()
  .min(0)
  .max(IMPORT_MAX_COLUMNS - 1)
  .meta({ example: 0 });
/** Columns of the fields, counted from 0. A last name is written behind the name. */
const mapping = z.object({
  name: column,
  last_name: column.nullish(),
  email: column,
  phone: column.nullish(),
});

const Line = z.object({
  id: recordId,
  /** As its sender called it. */
  file_name: z.string().nullable().meta({ example: "customers.csv" }),
  /** `uploaded` until it is begun, `running`, `done`. */
  state: z.enum(["uploaded", "running", "done"]),
  /** Rows without the headings, and how many of them are done. */
  total: count,
  done: count,
  created_at: timestamp,
});

const Import = Line.extend({
  /** The headings of the file; a column without one is named by its number. */
  columns: z.array(z.string().meta({ example: "E-mail" })),
  /** Whether the file has headings. */
  has_header: z.boolean(),
  /** The first cell of each column that is not empty, null when all are; empty once the import is done. */
  examples: z.array(z.string().nullable().meta({ example: "ayse@example.com" })),
  /** The first rows below the headings; empty once the import is done. */
  sample: z.array(
    z.object({
      row: z.int().meta({ example: 2 }),
      /** Cells in the order of `columns`, at most 80 characters of each. */
      cells: z.array(z.string().meta({ example: "ayse@example.com" })),
    }),
  ),
  /** Guessed from cells and headings, until it is set; null where nothing fits. */
  mapping: z.object({
    name: column.nullable(),
    last_name: column.nullable(),
    email: column.nullable(),
    phone: column.nullable(),
  }),
  /** When a waiting import goes on. */
  continues_at: expiry.nullable().meta({ example: null }),
  /** Empty while name or address has no column. */
  rows: z.array(
    z.object({
      /** Its number in the file as spreadsheets show it; the first row that is not empty is 1. */
      row: z.int().meta({ example: 2 }),
      name: z.string().nullable().meta({ example: "Ayşe Kaya" }),
      email: z.string().nullable().meta({ example: "ayse@example.com" }),
      phone: z.string().nullable().meta({ example: "+905321234567" }),
      outcome: z.enum(OUTCOMES),
    }),
  ),
}).meta({ id: "CustomerImport" });

const shared = {
  tag: "Customers",
  access: "token",
  record: "CustomerImport",
  params: z.object({ id: pathId }),
  status: 200,
} as const;
const one = z.object({ success, import: Import });

export const uploadImport = operation({
  id: "uploadImport",
  method: "POST",
  path: "/api/reseller/imports",
  tag: "Customers",
  summary: "Upload a CSV file of customers to invite",
  description:
    `One file of at most ${IMPORT_MAX_ROWS} rows and ${IMPORT_MAX_COLUMNS} columns, as spreadsheets and address books export it. ` +
    "Encoding, separator, headings and columns are found from the content. Nothing is sent until the import is begun.",
  access: "token",
  ability: "*",
  limit: { points: 10, per: 3600, by: "account", durable: true },
  upload: { field: "file", maxBytes: IMPORT_MAX_BYTES, types: ["text/csv"] },
  status: 201,
  output: one.extend({ message }),
  errors: ["agreement_unsigned"],
});

export const listImports = operation({
  id: "listImports",
  method: "GET",
  path: "/api/reseller/imports",
  tag: "Customers",
  summary: "List the newest imports of customers",
  access: "token",
  ability: "reseller:read",
  status: 200,
  output: z.object({ success, imports: z.array(Line) }),
  errors: ["agreement_unsigned"],
});

export const getImport = operation({
  ...shared,
  id: "getImport",
  method: "GET",
  path: "/api/reseller/imports/{id}",
  summary: "Get an import with its preview or report",
  ability: "reseller:read",
  output: one,
  errors: ["agreement_unsigned", "record_not_found"],
});

export const mapImport = operation({
  ...shared,
  id: "mapImport",
  method: "PUT",
  path: "/api/reseller/imports/{id}",
  summary: "Say which column is which",
  description: "Returns the preview. Possible until the import is begun.",
  ability: "*",
  body: z.object({
    mapping: mapping.nullish(),
    /** Whether the table has headings, when the file was read wrongly: the first row, or the one that can only be headings. */
    has_header: z.boolean().nullish().meta({ example: true }),
  }),
  output: one.extend({ message }),
  errors: ["agreement_unsigned", "record_not_found", "import_begun"],
});

export const runImport = operation({
  ...shared,
  id: "runImport",
  method: "POST",
  path: "/api/reseller/imports/{id}/run",
  summary: "Begin an import",
  description:
    "Invites the people of the good rows, as `POST /api/reseller/customers` does. An address that has an account is reported; " +
    "accounts of others 30 an hour.",
  ability: "*",
  limit: { points: 10, per: 3600, by: "account", durable: true },
  output: one.extend({ message }),
  errors: [
    "agreement_unsigned",
    "email_needs_verification",
    "record_not_found",
    "import_begun",
    "import_unmapped",
  ],
});
