import * as z from "zod";

export type Json = Record<string, unknown>;

/**
 * A part of a contract as JSON Schema 2020-12. Schemas with an `id` stand under `$defs`. The `example` of a schema is
 * what goes in, so it stays where Zod would drop `examples`: at a field that is transformed.
 */
export function jsonSchema(part: z.ZodType, io: "input" | "output"): Json {
  return z.toJSONSchema(part, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema: json }) => {
      if (!("example" in json)) return;
      json.examples = [json.example];
      delete json.example;
    },
  }) as Json;
}
