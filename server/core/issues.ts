import type * as z from "zod";
import type { FieldIssue, FieldIssues } from "./errors";

/* Validation messages, shared by the server and the panel's forms so that both report the same problems. */

/** Converts zod issues into message keys by field: `consents.terms` → [{ key: "boolean" }]. */
export function toFieldIssues(error: z.ZodError, raw: unknown, labels: Labels = {}): FieldIssues {
  const fields: FieldIssues = Object.create(null);
  for (const issue of error.issues) {
    const field = issue.path.map(String).join(".") || "body";
    fields[field] ??= [];
    // One message per field and rule: a missing value is not also too short.
    const fieldIssue = toFieldIssue(issue, field, getValueAt(raw, issue.path));
    if (!fields[field].some(({ key }) => key === fieldIssue.key))
      fields[field].push({ ...fieldIssue, ...(labels[field] && { label: labels[field] }) });
  }
  return fields;
}

/** Label keys by field, where a label differs from the usual one. */
export type Labels = Record<string, string>;

function getValueAt(raw: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    raw,
  );
}

function toFieldIssue(issue: z.core.$ZodIssue, field: string, value: unknown): FieldIssue {
  const isMissing = value === undefined || value === null;
  if (isMissing) return { key: isChoice(issue, field) ? "required_choice" : "required" };
  if (issue.message.startsWith("validation.")) {
    const params = issue.code === "custom" ? (issue.params as FieldIssue["params"]) : undefined;
    return { key: issue.message.slice("validation.".length), ...(params && { params }) };
  }
  switch (issue.code) {
    case "too_small":
      return { key: `min_${toSizeKind(issue.origin)}`, params: { min: Number(issue.minimum) } };
    case "too_big":
      return { key: `max_${toSizeKind(issue.origin)}`, params: { max: Number(issue.maximum) } };
    case "invalid_type":
      return { key: TYPE_KEYS[issue.expected] ?? "invalid" };
    case "invalid_value":
      return { key: "in" };
    default:
      return { key: "invalid" };
  }
}

/** Options, lists and records are selected, other values entered. */
function isChoice(issue: z.core.$ZodIssue, field: string): boolean {
  const isList = issue.code === "invalid_type" && issue.expected === "array";
  return isList || issue.code === "invalid_value" || field.endsWith("_id");
}

const TYPE_KEYS: Record<string, string> = {
  string: "string",
  number: "number",
  int: "integer",
  boolean: "boolean",
  array: "array",
  object: "object",
};

function toSizeKind(origin: string): "string" | "number" | "array" {
  if (origin === "string") return "string";
  return origin === "array" ? "array" : "number";
}

export interface MessageSource {
  has(key: string): boolean;
  text(key: string, params?: Record<string, string | number>): string;
}

export function getIssueText(
  { key, params, label }: FieldIssue,
  field: string,
  messages: MessageSource,
): string {
  // List indexes are skipped: an item uses the label of its list.
  const name =
    label ??
    field
      .split(".")
      .filter((part) => !/^\d+$/.test(part))
      .at(-1) ??
    field;
  const labelKey = `validation.attributes.${name}`;
  const attribute =
    /^\w+$/.test(name) && messages.has(labelKey)
      ? messages.text(labelKey)
      : name.replaceAll("_", " ").slice(0, 60);
  return messages.text(`validation.${key}`, { attribute, ...params });
}
