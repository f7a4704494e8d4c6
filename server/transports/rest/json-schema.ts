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
      delete json.as;
      delete json.example;
    },
  }) as Json;
}

/** What is said about a schema rather than by it. */
const KEPT = new Set(["$schema", "description", "deprecated", "examples"]);

function spelt(example: unknown, { type }: Json): unknown {
  return type === "integer" ? Number(example) : example === true || example === "true";
}
