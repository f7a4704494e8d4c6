import type { Json } from "./json-schema";

/** What this schema of the description describes, made of the examples of its fields. `terse` leaves out optional fields. */
export function sampleOf(schema: Json, document: Json, terse = false): unknown {
  const json = resolved(schema, document);
  const { examples, enum: values, anyOf, oneOf = anyOf, type, items } = json as Schema;
  if (examples) return examples[0];
  if ("const" in json) return json.const;
  if (values) return values[0];
  if (oneOf) return sampleOf(oneOf[0]!, document, terse);
  const one = Array.isArray(type) ? type[0] : type;
  if (one === "array") return items ? [sampleOf(items, document, terse)] : [];
  if (one === "object") return sampleObject(json, document, terse);
  return one === "boolean" ? true : null;
}

function sampleObject(json: Schema, document: Json, terse: boolean): Json {
  const { properties = {}, required = [] } = json;
  const all = Object.entries(properties).filter(([, field]) => !field.deprecated);
  const needed = all.filter(([name]) => required.includes(name));
  const shown = terse && needed.length > 0 ? needed : all;
  return Object.fromEntries(shown.map(([name, field]) => [name, sampleOf(field, document, terse)]));
}

/** What a reference of the description leads to; anything else as it is. */
export function resolved<T extends Json>(part: T, document: Json): T {
  const { $ref } = part;
  if (typeof $ref !== "string") return part;
  const steps = $ref.slice(2).split("/");
  return resolved(steps.reduce((at, step) => at[step] as Json, document) as T, document);
}

interface Schema extends Json {
  examples?: unknown[];
  enum?: unknown[];
  anyOf?: Json[];
  oneOf?: Json[];
  type?: string | string[];
  items?: Json;
  properties?: Record<string, Json>;
  required?: string[];
}
