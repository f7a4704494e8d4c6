import * as z from "zod";

export type Json = Record<string, unknown>;

/**
 * A part of a contract as JSON Schema 2020-12. Schemas with an `id` stand under `$defs`. The `example` of a schema is
 * what goes in, so it stays where Zod would drop `examples`: at a field that is transformed. `as` stands for a schema that
 * takes several spellings of one type.
 */
export function jsonSchema(part: z.ZodType, io: "input" | "output"): Json {
  return z.toJSONSchema(part, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema: json }) => {
      const { as, example, ...rest } = json as Json & { as?: Json };
      if (as) {
        for (const key of Object.keys(rest)) if (!KEPT.has(key)) delete json[key];
        Object.assign(json, as);
      }
      if ("example" in json) json.examples = [as ? spelt(example, as) : example];
      const { propertyNames: names, additionalProperties: value, required } = json;
      if (names && typeof names === "object" && names.enum && required) {
        // A record of known keys is an object, which generators give typed fields.
        delete json.propertyNames;
        json.properties = Object.fromEntries(
          required.map((name) => [name, value as z.core.JSONSchema.BaseSchema]),
        );
        json.additionalProperties = false;
      }
      // Bounds of the number type say nothing of the field.
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
      delete json.as;
      delete json.example;
    },
  }) as Json;
}

/** Keywords that describe a schema and do not constrain values. */
const KEPT = new Set(["$schema", "description", "deprecated", "examples"]);

function spelt(example: unknown, { type }: Json): unknown {
  return type === "integer" ? Number(example) : example === true || example === "true";
}

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

export function choices(schema: JsonSchema): JsonSchema[] {
  const { type } = schema;
  if (Array.isArray(type)) return type.map((one) => ({ ...schema, type: one }));
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

const isNull = (schema: JsonSchema) => schema.type === "null";

/** The alternative a person would send or expect: the first that is not null. */
export function main(schema: JsonSchema): JsonSchema {
  const given = choices(schema).filter((choice) => !isNull(choice));
  return given.length === 1 && given[0] !== schema ? main(given[0]!) : (given[0] ?? schema);
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
