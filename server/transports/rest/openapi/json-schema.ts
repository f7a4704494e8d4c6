import * as z from "zod";

export type Json = Record<string, unknown>;

/**
 * Keeps `example`, which Zod drops on transformed fields. The metadata `as` replaces a schema that accepts
 * several spellings.
 */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema: json }) => {
      const { as, example, ...keywords } = json as Json & { as?: Json };
      if (as) {
        for (const key of Object.keys(keywords)) if (!ANNOTATIONS.has(key)) delete json[key];
        Object.assign(json, as);
      }
      if ("example" in json) json.examples = [as ? convertExample(example, as) : example];
      const { propertyNames: nameSchema, additionalProperties: valueSchema, required } = json;
      if (nameSchema && typeof nameSchema === "object" && nameSchema.enum && required) {
        // Code generators type an object's fields, but not a record with known keys.
        delete json.propertyNames;
        json.properties = Object.fromEntries(
          required.map((name) => [name, valueSchema as z.core.JSONSchema.BaseSchema]),
        );
        json.additionalProperties = false;
      }
      // The limits of the number type are not constraints of the field.
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
      delete json.as;
      delete json.example;
    },
  }) as Json;
}

const ANNOTATIONS = new Set(["$schema", "description", "deprecated", "examples"]);

function convertExample(example: unknown, { type }: Json): unknown {
  return type === "integer" ? Number(example) : example === true || example === "true";
}

export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  description?: string;
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

export function inlineRefs(schema: JsonSchema): JsonSchema {
  const { $defs = {}, ...root } = schema;
  const resolve = (_: string, value: unknown) => {
    const { $ref, ...siblings } = (value ?? {}) as JsonSchema;
    return $ref ? { ...$defs[$ref.replace("#/$defs/", "")], ...siblings } : value;
  };
  return JSON.parse(JSON.stringify(root, resolve));
}

export function listVariants(schema: JsonSchema): JsonSchema[] {
  const { type } = schema;
  if (Array.isArray(type)) return type.map((variant) => ({ ...schema, type: variant }));
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

const isNull = (schema: JsonSchema) => schema.type === "null";

export function findMainVariant(schema: JsonSchema): JsonSchema {
  const alternatives = listVariants(schema).filter((choice) => !isNull(choice));
  return alternatives.length === 1 && alternatives[0] !== schema
    ? findMainVariant(alternatives[0]!)
    : (alternatives[0] ?? schema);
}

/** Builds a sample value. `terse` omits optional fields of objects that have required ones. */
export function buildSample(schema: JsonSchema, { terse = false } = {}): unknown {
  if (schema.examples) return schema.examples[0];
  const variant = findMainVariant(schema);
  if (variant !== schema) return buildSample(variant, { terse });
  if (variant.const !== undefined) return variant.const;
  if (variant.enum) return variant.enum[0];
  if (variant.type === "boolean") return true;
  if (variant.type === "array") return variant.items ? [buildSample(variant.items, { terse })] : [];
  if (variant.type === "object") return buildSampleObject(variant, terse);
  return null;
}

function buildSampleObject({ properties = {}, required = [] }: JsonSchema, terse: boolean): unknown {
  const allFields = Object.entries(properties);
  const requiredFields = allFields.filter(([name]) => required.includes(name));
  const fields = terse && requiredFields.length > 0 ? requiredFields : allFields;
  return Object.fromEntries(fields.map(([name, value]) => [name, buildSample(value, { terse })]));
}
