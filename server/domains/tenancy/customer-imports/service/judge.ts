import * as z from "zod";
import { fieldIssues } from "@/server/core/issues";
import { emailKey } from "@/server/core/schema";
import { inviteCustomer } from "@/server/domains/tenancy/customers/contract";
import type { ImportField, Outcome } from "../policy";
import { addressOf, isOneNumber, phoneOf } from "./clean";
import type { Table } from "./table";

export type Mapping = Record<ImportField, number | null>;

/** A row of the file as it would be invited. */
export interface Judged {
  row: number;
  name: string | null;
  email: string | null;
  phone: string | null;
  outcome: Outcome;
}

/**
 * Beginnings of a name or phone number that a spreadsheet would run. A phone number may begin with a plus.
 */
const FORMULA = { name: /^[=+\-@]/, phone: /^(=|@|-|\+\D)/ };

/**
 * Validates the rows by the rules of an invitation; a repeated address is a duplicate. Checks against the
 * database follow when the import runs.
 */
export function judge({ rows }: Table, mapping: Mapping): Judged[] {
  if (mapping.name === null || mapping.email === null) return [];
  const seen = new Set<string>();
  return rows.map(({ row, cells }) => {
    const cell = (field: ImportField) => cells[mapping[field] ?? -1] ?? "";
    const given = {
      name: [cell("name"), cell("last_name")].filter(Boolean).join(" ") || null,
      email: addressOf(cell("email")) || null,
      phone: phoneOf(cell("phone")) || null,
    };
    return { row, ...given, ...judged(given, seen) };
  });
}

type Given = Pick<Judged, "name" | "email" | "phone">;

/** Also returns the normalised fields of a valid row. */
function judged(given: Given, seen: Set<string>): Partial<Given> & Pick<Judged, "outcome"> {
  if (FORMULA.name.test(given.name ?? "") || FORMULA.phone.test(given.phone ?? ""))
    return { outcome: "formula" };
  const parsed = inviteCustomer.body!.safeParse(given);
  if (!parsed.success) {
    const [field] = Object.keys(fieldIssues(parsed.error, given));
    return { outcome: field === "name" || field === "phone" ? `${field}_invalid` : "email_invalid" };
  }
  if (!isOneNumber(given.phone ?? "")) return { outcome: "phone_invalid" };
  const { name, email, phone = null } = parsed.data;
  const key = emailKey(email);
  if (seen.has(key)) return { outcome: "duplicate" };
  seen.add(key);
  return { name, email, phone, outcome: "ready" };
}

export const StoredMapping = z.object({
  name: z.int().nullable(),
  last_name: z.int().nullable().default(null),
  email: z.int().nullable(),
  phone: z.int().nullable(),
});
/** Finished rows as stored. */
export const Report = z.array(
  z.object({
    row: z.int(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    outcome: z.custom<Outcome>(),
  }),
);
