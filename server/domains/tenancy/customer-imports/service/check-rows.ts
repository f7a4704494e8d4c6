import * as z from "zod";
import { toFieldIssues } from "@/server/core/issues";
import { toEmailKey } from "@/server/core/schema";
import { inviteCustomer } from "@/server/domains/tenancy/customers/contract";
import type { ImportField, RowOutcome } from "../policy";
import { findAddress, findPhone, isOneNumber } from "./cell-values";
import type { Table } from "./table";

export type Mapping = Record<ImportField, number | null>;

export interface CheckedRow {
  row: number;
  name: string | null;
  email: string | null;
  phone: string | null;
  outcome: RowOutcome;
}

/** Beginnings that a spreadsheet would run as a formula. A phone number may begin with a plus. */
const FORMULA_PATTERNS = { name: /^[=+\-@]/, phone: /^(=|@|-|\+\D)/ };

/** Validates rows as invitations. Checks against the database follow when the import runs. */
export function checkRows({ rows }: Table, mapping: Mapping): CheckedRow[] {
  if (mapping.name === null || mapping.email === null) return [];
  const seenEmails = new Set<string>();
  return rows.map(({ row, cells }) => {
    const getCell = (field: ImportField) => cells[mapping[field] ?? -1] ?? "";
    const fields = {
      name: [getCell("name"), getCell("last_name")].filter(Boolean).join(" ") || null,
      email: findAddress(getCell("email")) || null,
      phone: findPhone(getCell("phone")) || null,
    };
    return { row, ...fields, ...checkRow(fields, seenEmails) };
  });
}

type PersonFields = Pick<CheckedRow, "name" | "email" | "phone">;

function checkRow(
  fields: PersonFields,
  seenEmails: Set<string>,
): Partial<PersonFields> & Pick<CheckedRow, "outcome"> {
  if (FORMULA_PATTERNS.name.test(fields.name ?? "") || FORMULA_PATTERNS.phone.test(fields.phone ?? ""))
    return { outcome: "formula" };
  const parseResult = inviteCustomer.body!.safeParse(fields);
  if (!parseResult.success) {
    const [field] = Object.keys(toFieldIssues(parseResult.error, fields));
    return { outcome: field === "name" || field === "phone" ? `${field}_invalid` : "email_invalid" };
  }
  if (!isOneNumber(fields.phone ?? "")) return { outcome: "phone_invalid" };
  const { name, email, phone = null } = parseResult.data;
  const addressKey = toEmailKey(email);
  if (seenEmails.has(addressKey)) return { outcome: "duplicate" };
  seenEmails.add(addressKey);
  return { name, email, phone, outcome: "ready" };
}

export const StoredMapping = z.object({
  name: z.int().nullable(),
  last_name: z.int().nullable().default(null),
  email: z.int().nullable(),
  phone: z.int().nullable(),
});
export const ImportReport = z.array(
  z.object({
    row: z.int(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    outcome: z.custom<RowOutcome>(),
  }),
);
