import type * as z from "zod";
import type { FieldIssue, FieldIssues } from "@/server/core/errors";

/** Turns zod's issues into message keys by field: `consents.terms` → [{ key: "accepted" }]. */
export function fieldIssues(error: z.ZodError, raw: unknown): FieldIssues {
  const fields: FieldIssues = Object.create(null);
  for (const issue of error.issues) {
    const field = issue.path.map(String).join(".") || "body";
    fields[field] ??= [];
    // One text for each field and rule is enough: a missing value is not also too short.
    const found = issueKey(issue, valueAt(raw, issue.path));
    if (!fields[field].some(({ key }) => key === found.key)) fields[field].push(found);
  }
  return fields;
}

function valueAt(raw: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? value[key as never] : undefined),
    raw,
  );
}

function issueKey(issue: z.core.$ZodIssue, value: unknown): FieldIssue {
  const missing = value === undefined || value === null;
  if (missing) return { key: "required" };
  if (issue.message.startsWith("validation.")) return { key: issue.message.slice("validation.".length) };
  switch (issue.code) {
    case "too_small":
      return { key: `min_${kindOf(issue.origin)}`, params: { min: Number(issue.minimum) } };
    case "too_big":
      return { key: `max_${kindOf(issue.origin)}`, params: { max: Number(issue.maximum) } };
    case "invalid_type":
      return { key: TYPES[issue.expected] ?? "invalid" };
    case "invalid_value":
      return { key: "in" };
    default:
      return { key: "invalid" };
  }
}

const TYPES: Record<string, string> = {
  string: "string",
  number: "number",
  int: "integer",
  boolean: "boolean",
  array: "array",
  object: "object",
};

function kindOf(origin: string): "string" | "number" | "array" {
  if (origin === "string") return "string";
  return origin === "array" ? "array" : "number";
}
