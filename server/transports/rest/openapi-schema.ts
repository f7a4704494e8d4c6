import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { day, timestamp } from "@/server/core/schema";
import written from "./generated/words.json";
import { type Json, jsonSchema } from "./json-schema";
import { FIELD_WORDS, QUERY_WORDS } from "./openapi-words";
import { INNER_WORDS, NESTED_WORDS } from "./openapi-words-nested";
import { RARE_WORDS } from "./openapi-words-rare";
import { SCHEMA_WORDS } from "./openapi-words-schemas";

/** What operations share: schemas by their `id`, parameters and responses by their content. */
export interface Components {
  schemas: Record<string, Json>;
  /** References to the bodies of errors, by their code. */
  refusals: Map<string, string>;
}

/** Docstrings of the contracts' fields, by `<operation>.<part>` or by the id of a schema. */
const docstrings: Record<string, Words | undefined> = written;

type Words = Record<string, string>;

/**
 * A part of a contract as the description shows it: named schemas stand under `components`, fields have words, and what
 * JSON Schema can say shorter is said so. `owner` is where its docstrings are.
 */
export function schemaOf(part: z.ZodType, io: "input" | "output", { schemas }: Components, owner = ""): Json {
  const text = JSON.stringify(jsonSchema(part, io)).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, $defs = {}, ...json } = JSON.parse(text) as Json & { $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries($defs)) {
    const named = worded(definition, { "": SCHEMA_WORDS[name]!, ...docstrings[name] }, GENERAL);
    schemas[name] ??= named;
    if (!isDeepStrictEqual(schemas[name], named)) throw new Error(`two schemas have the id ${name}`);
  }
  const general = owner.endsWith(".query") ? { ...GENERAL, ...QUERY_WORDS } : GENERAL;
  return worded(json, docstrings[owner], general);
}

const GENERAL: Words = { ...INNER_WORDS, ...RARE_WORDS, ...FIELD_WORDS };

/** The same without null, which an address cannot carry. */
export function withoutNull(schema: Json): Json {
  const { type, enum: values } = schema as { type?: unknown; enum?: unknown[] };
  if (!Array.isArray(type)) return schema;
  const [only, ...others] = type.filter((one) => one !== "null");
  return {
    ...schema,
    type: others.length > 0 ? [only, ...others] : only,
    ...(values && { enum: values.filter((value) => value !== null) }),
  };
}

function worded(schema: Json, docs: Words = {}, general: Words = {}): Json {
  return withWords(shown(schema, docs, general) as Json, docs[""]);
}

/** Keywords below which there are values, not schemas. */
const LITERAL = new Set(["examples", "enum", "const", "default", "required"]);

/**
 * Says with fewer words what the schema says, and gives its fields theirs: those of their docstrings, of the field or
 * element that they are in, or of every field of that name.
 */
function shown(schema: unknown, docs: Words, general: Words, within = ""): unknown {
  if (Array.isArray(schema)) return schema.map((each) => shown(each, docs, general, within));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(spelledOut(schema as Json)).map(([key, value]) => {
    if (LITERAL.has(key)) return [key, value];
    if (key !== "properties") return [key, shown(value, docs, general, within)];
    const fields = Object.entries(value as Record<string, Json>).map(([name, field]) => {
      const nested = NESTED_WORDS[within];
      const words = docs[name] ?? nested?.[name] ?? nested?.["*"] ?? general[name];
      return [name, withWords(shown(field, docs, GENERAL, name) as Json, words)];
    });
    return [key, Object.fromEntries(fields)];
  });
  return shorter(Object.fromEntries(entries));
}

/** Keys that are known as fields, and nothing about keys that may be any text. */
function spelledOut(schema: Json): Json {
  const { propertyNames, additionalProperties, required, ...rest } = schema as Json & {
    propertyNames?: { enum?: string[] };
    required?: string[];
  };
  if (!propertyNames) return schema;
  if (!propertyNames.enum) return { ...rest, additionalProperties };
  if (!required) return schema;
  const properties = Object.fromEntries(required.map((name) => [name, additionalProperties]));
  return { ...rest, properties, required, additionalProperties: false };
}

/** What a reference leads to has words of its own. */
function withWords(schema: Json, words: string | undefined): Json {
  return words && !("$ref" in schema) && !schema.description ? { description: words, ...schema } : schema;
}

/** Null as one of the types, integers without the bounds of doubles, times by the name of their format. */
function shorter(json: Json): Json {
  const format = FORMATS.get(String(json.pattern));
  if (format) json.format = format;
  if (json.format === "date-time" || json.format === "date") delete json.pattern;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  const { anyOf, ...rest } = json as { anyOf?: Json[] };
  const [one, none] = anyOf ?? [];
  if (anyOf?.length !== 2 || none?.type !== "null" || !SIMPLE.has(String(one!.type))) return json;
  const { const: only, ...inner } = one!;
  const values = only === undefined ? (inner.enum as unknown[] | undefined) : [only];
  return { ...inner, ...rest, type: [inner.type, "null"], ...(values && { enum: [...values, null] }) };
}

const FORMATS = new Map([
  [String(jsonSchema(timestamp, "output").pattern), "date-time"],
  [String(jsonSchema(day, "input").pattern), "date"],
]);

const SIMPLE = new Set(["string", "integer", "number", "boolean"]);
