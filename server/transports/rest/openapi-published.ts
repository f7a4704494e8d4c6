import type { Json } from "./json-schema";

/**
 * The description as it is sent: without examples that say no more than their schema does, as `7` of an integer, one of the
 * values of an enum, or null. The Postman collection and the pages of the reference, which show whole bodies, have them.
 */
export function published<T>(part: T): T {
  if (Array.isArray(part)) return part.map(published) as T;
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).flatMap(([key, value]) =>
    key === "examples" && saysNothing(part as Json, value) ? [] : [[key, published(value)]],
  );
  return Object.fromEntries(entries) as T;
}

/** Kinds of values that look alike wherever they are. */
const PLAIN = new Set(["integer", "number", "boolean"]);

function saysNothing(schema: Json, examples: unknown): boolean {
  if (!Array.isArray(examples)) return false;
  const { type, format, const: only, enum: values } = schema;
  const [one] = Array.isArray(type) ? type : [type];
  return (
    PLAIN.has(one) ||
    format !== undefined ||
    only !== undefined ||
    values !== undefined ||
    examples[0] === null
  );
}
