import { pool } from "@/server/infrastructure/database/client";
import type { Inputs } from "./suite";

/** Values that every string, number or boolean field must reject. */
export const WRONG_TYPES: Inputs<unknown> = {
  operator: [{ $ne: 1 }, { contains: "" }, { not: "" }, { startsWith: "a" }, { gt: 0 }, { toString: "x" }],
  list: [["a"], ["a", "b"], [], [{}], [["a"]]],
};

/** Values that a field may accept or reject, but without a server error. */
export const ODD_VALUES: Inputs<unknown> = {
  nothing: [null],
  boolean: [true],
  number: [-1, 2 ** 53, 0.1, 0, 1],
  blank: ["", " "],
  nul: ["a\u0000b", "\u0000"],
  surrogate: ["\ud800", "\udc00x"],
  invisible: ["\u202eabc", "\u2028", "\ufeffa"],
  long: ["a".repeat(70_000), "😀".repeat(200)],
  syntax: ["'; drop table users; --", "%", "$1", "__proto__"],
};

export const INVALID_IDS: Inputs<string> = {
  "too large": ["2147483648", "9223372036854775808", "99999999999999999999", "1".repeat(5000)],
  "another spelling": [
    "01",
    "0",
    "-1",
    "-0",
    "+1",
    "1.5",
    "1.0",
    "1e3",
    "0x10",
    "0b1",
    "0o7",
    "1_000",
    "1,000",
  ],
  encoded: [
    "1%00",
    "%00",
    "%D9%A1%D9%A2",
    "%EF%BC%91",
    "%E0%A4%A",
    "%",
    "%2e%2e",
    "1%2F2",
    "[object%20Object]",
    "%20",
    "1%20",
    "%201",
  ],
  text: [
    "1'--",
    "null",
    "undefined",
    "NaN",
    "Infinity",
    "true",
    "{id}",
    "1;x",
    "$1",
    "018f4c1e-7b1a-7c3e-9d52-1f6f3c1a2b3c",
  ],
};

const COUNTER_TABLES = ["rate_limits"];

const ROW_CONDITIONS: Record<string, string> = { audit_events: "action <> 'access.refused'" };

/** Returns row counts by table, without rate limit counters and audit entries of rejected calls. */
export async function countRows(excludedTables: string[] = []): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const names = rows
    .map(({ name }) => name)
    .filter((name) => ![...COUNTER_TABLES, ...excludedTables].includes(name));
  const countQueries = names.map(
    (name) =>
      `select '${name}' as name, count(*)::int as count from "${name}" where ${ROW_CONDITIONS[name] ?? true}`,
  );
  const result = await pool().query<{ name: string; count: number }>(countQueries.join(" union all "));
  return Object.fromEntries(result.rows.map(({ name, count }) => [name, count]));
}
