import type { DocField } from "./types";

/** The part of JSON Schema that our contracts use. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  examples?: unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

/** The schema with what its references name in their place. */
export function inlined(schema: JsonSchema): JsonSchema {
  const { $defs = {}, ...root } = schema;
  const resolve = (_: string, value: unknown) => {
    const { $ref, ...own } = (value ?? {}) as JsonSchema;
    return $ref ? { ...$defs[$ref.replace("#/$defs/", "")], ...own } : value;
  };
  return JSON.parse(JSON.stringify(root, resolve));
}

function choices(schema: JsonSchema): JsonSchema[] {
  const { type } = schema;
  if (Array.isArray(type)) return type.map((one) => ({ ...schema, type: one }));
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

const isNull = (schema: JsonSchema) => schema.type === "null";

/** The alternative a person would send or expect: the first that is not null. */
function main(schema: JsonSchema): JsonSchema {
  const given = choices(schema).filter((choice) => !isNull(choice));
  return given.length === 1 && given[0] !== schema ? main(given[0]!) : (given[0] ?? schema);
}

function typeOf(schema: JsonSchema): string {
  const names = choices(schema).flatMap((choice) => {
    if (choice !== schema && (choice.anyOf ?? choice.oneOf)) return typeOf(choice).split(" | ");
    if (choice.type === "array") return [`${typeOf(choice.items ?? {})}[]`];
    return [choice.type ?? (choice.const !== undefined ? typeof choice.const : null)].filter(
      (name) => name !== null,
    );
  });
  const known = [...new Set(names)];
  // To a reader, true, false, 1, 0 and their spellings are all one boolean.
  if (known.includes("boolean")) return known.includes("null") ? "boolean | null" : "boolean";
  return known.join(" | ") || "any";
}

/** Returns the fields of an object, nested ones by their path. */
export function fieldsOf(schema: JsonSchema, prefix = "", depth = 0): DocField[] {
  const object = main(schema);
  const { properties = {}, required = [] } = object;
  return Object.entries(properties).flatMap(([name, value]) => {
    const inner = main(value);
    const list = inner.type === "array";
    const path = `${prefix}${name}`;
    const nested = list ? main(inner.items ?? {}) : inner;
    const field = fieldOf(path, value, required.includes(name));
    if (!nested.properties || depth >= 2) return [field];
    return [field, ...fieldsOf(nested, `${path}${list ? "[]" : ""}.`, depth + 1)];
  });
}

function fieldOf(path: string, schema: JsonSchema, required: boolean): DocField {
  const inner = main(schema);
  const characters = inner.type === "string" && (inner.minLength ?? inner.maxLength) !== undefined;
  const size = inner.type === "number" && (inner.minimum ?? inner.maximum) !== undefined;
  return {
    path,
    type: typeOf(schema),
    required,
    values: inner.type === "string" ? (inner.enum ?? []).map(String) : [],
    limit: characters
      ? { kind: "characters", min: inner.minLength ?? null, max: inner.maxLength ?? null }
      : size
        ? { kind: "value", min: inner.minimum ?? null, max: inner.maximum ?? null }
        : null,
  };
}

/** Returns an example value of a schema. `terse` leaves out optional fields. */
export function sampleOf(schema: JsonSchema, { terse = false } = {}): unknown {
  if (schema.examples) return schema.examples[0];
  const one = main(schema);
  if (one !== schema) return sampleOf(one, { terse });
  if (one.const !== undefined) return one.const;
  if (one.enum) return one.enum[0];
  if (one.type === "boolean") return true;
  if (one.type === "array") return one.items ? [sampleOf(one.items, { terse })] : [];
  if (one.type === "object") return sampleObject(one, terse);
  return null;
}

function sampleObject({ properties = {}, required = [] }: JsonSchema, terse: boolean): unknown {
  const all = Object.entries(properties);
  const needed = all.filter(([name]) => required.includes(name));
  const shown = terse && needed.length > 0 ? needed : all;
  return Object.fromEntries(shown.map(([name, value]) => [name, sampleOf(value, { terse })]));
}
