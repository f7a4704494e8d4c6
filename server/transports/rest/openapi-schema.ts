import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { day, timestamp } from "@/server/core/schema";
import written from "./generated/words.json";
import { type Json, jsonSchema } from "./json-schema";
import { FIELD_WORDS, QUERY_WORDS } from "./openapi-words";
import { RARE_WORDS } from "./openapi-words-rare";

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
    const named = worded(definition, docstrings[name], GENERAL);
    schemas[name] ??= named;
    if (!isDeepStrictEqual(schemas[name], named)) throw new Error(`two schemas have the id ${name}`);
  }
  const general = owner.endsWith(".query") ? { ...GENERAL, ...QUERY_WORDS } : GENERAL;
  return worded(json, docstrings[owner], general);
}

const GENERAL: Words = { ...RARE_WORDS, ...FIELD_WORDS };

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
 * Says with fewer words what the schema says, and gives its fields theirs: those of their docstrings and, at the top, what
 * fields of that name mean everywhere.
 */
function shown(schema: unknown, docs: Words, general: Words = {}): unknown {
  if (Array.isArray(schema)) return schema.map((each) => shown(each, docs));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => {
    if (LITERAL.has(key)) return [key, value];
    // The fields of each alternative are at the top as well.
    if (key === "anyOf" || key === "oneOf") {
      const each = (value as Json[]).map((one) => shown(one, docs, general));
      return [key, each];
    }
    if (key !== "properties") return [key, shown(value, docs)];
    const fields = Object.entries<Json>(value).map(([name, field]) => {
      const words = docs[name] ?? general[name];
      return [name, withWords(shown(field, docs) as Json, words)];
    });
    return [key, Object.fromEntries(fields)];
  });
  return shorter(Object.fromEntries(entries));
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
