import type * as z from "zod";
import type { FieldIssue, FieldIssues } from "./errors";

/*
 * What is wrong with an input, in keys and in words. The server and the forms of the panel use it alike, so a form says
 * before it is sent what the server would say.
 */

/**
 * Turns zod's issues into message keys by field: `consents.terms` → [{ key: "accepted" }]. `raw` is what was parsed, `labels`
 * those of the operation.
 */
export function fieldIssues(error: z.ZodError, raw: unknown, labels: Labels = {}): FieldIssues {
  const fields: FieldIssues = Object.create(null);
  for (const issue of error.issues) {
    const field = issue.path.map(String).join(".") || "body";
    fields[field] ??= [];
    // One text for each field and rule is enough: a missing value is not also too short.
    const found = issueKey(issue, valueAt(raw, issue.path));
    if (!fields[field].some(({ key }) => key === found.key))
      fields[field].push({ ...found, ...(labels[field] && { label: labels[field] }) });
  }
  return fields;
}

/** Fields that are called something else than others of their name. */
export type Labels = Record<string, string>;

function valueAt(raw: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    raw,
  );
}

function issueKey(issue: z.core.$ZodIssue, value: unknown): FieldIssue {
  const missing = value === undefined || value === null;
  if (missing) return { key: "required" };
  if (issue.message.startsWith("validation.")) {
    const params = issue.code === "custom" ? (issue.params as FieldIssue["params"]) : undefined;
    return { key: issue.message.slice("validation.".length), ...(params && { params }) };
  }
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

/** The messages of one language. */
export interface Words {
  has(key: string): boolean;
  text(key: string, params?: Record<string, string | number>): string;
}

/** A problem of a field in the reader's language, with the name that people know the field by. */
export function issueText({ key, params, label }: FieldIssue, field: string, words: Words): string {
  // An entry of a list is known by the list.
  const name =
    label ??
    field
      .split(".")
      .filter((part) => !/^\d+$/.test(part))
      .at(-1) ??
    field;
  const named = `validation.attributes.${name}`;
  const attribute =
    /^\w+$/.test(name) && words.has(named) ? words.text(named) : name.replaceAll("_", " ").slice(0, 60);
  return words.text(`validation.${key}`, { attribute, ...params });
}
