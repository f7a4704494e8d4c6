import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type ErrorCode, errorBody, errorTable } from "@/server/core/errors";
import { handlers } from "../operations";
import { type Json, jsonSchema } from "./json-schema";

/* Generated from the operations: fails for a field without a valid example. */

type Described = [name: string, schema: z.ZodType, io: "input" | "output"];

const parts = handlers().flatMap(({ operation }): Described[] => {
  const { id, params, query, body, output, file } = operation;
  const schemas = { params, query, body, output: file ? undefined : output };
  return Object.entries(schemas).flatMap(([part, schema]) =>
    schema ? [[`${part} of ${id}`, schema, part === "output" ? "output" : "input"]] : [],
  );
});
const errors = Object.keys(errorTable()).map(
  (code): Described => [code, errorBody(code as ErrorCode), "output"],
);

interface Schema extends Json {
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
}

function fieldsWithout(schema: Schema, path = "", $defs = schema.$defs ?? {}): string[] {
  const { $ref, properties, anyOf, oneOf = anyOf, items, type } = schema;
  const within = (inner: Schema, at = path) => fieldsWithout(inner, at, $defs);
  if ($ref) return within($defs[$ref.replace("#/$defs/", "")]!);
  if ("examples" in schema) return [];
  if (properties)
    return Object.entries(properties).flatMap(([name, field]) => within(field, `${path}.${name}`));
  if ("const" in schema || "enum" in schema) return [];
  if ([type].flat().every((one) => one === "boolean" || one === "null")) return [];
  if (oneOf) return oneOf.flatMap((choice) => within(choice));
  return items ? within(items, `${path}[]`) : [path];
}

function invalidExamplesOf([, schema, io]: Described): unknown[] {
  const invalidExamples: unknown[] = [];
  z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema }) => {
      const meta = z.globalRegistry.get(zodSchema);
      if (meta && "example" in meta && !z.safeParse(zodSchema, meta.example).success)
        invalidExamples.push(meta.example);
    },
  });
  return invalidExamples;
}

describe("contracts and errors", () => {
  it("have an example for every field", () => {
    const missing = [...parts, ...errors].flatMap(([name, schema, io]) =>
      fieldsWithout(jsonSchema(schema, io) as Schema).map((field) => `${name}: ${field}`),
    );
    expect(missing).toEqual([]);
  });

  it("have examples that match their schemas", () => {
    const mismatches = [...parts, ...errors].flatMap((described) =>
      invalidExamplesOf(described).map((example) => ({ name: described[0], example })),
    );
    expect(mismatches).toEqual([]);
  });
});

describe("an example", () => {
  const described = (schema: z.ZodType) => jsonSchema(z.object({ field: schema }), "input") as Schema;
  const text = z.string().meta({ example: "a" });

  it.each([
    ["before a check", text.max(5)],
    ["before a refinement", text.refine(() => true)],
    ["before a transformation", text.transform(Number)],
    ["after a transformation", z.string().transform(Number).meta({ example: "a" })],
    ["on a pipe", z.string().pipe(z.string().max(5)).meta({ example: "a" })],
    ["before nullish", text.nullish()],
    ["after nullish", z.string().nullish().meta({ example: "a" })],
    ["in a choice", z.union([text, z.null()])],
  ])("is kept %s", (_, schema) => {
    expect(fieldsWithout(described(schema))).toEqual([]);
    expect(JSON.stringify(described(schema))).toContain('"examples":["a"]');
  });

  it("is reported when missing or invalid", () => {
    expect(fieldsWithout(described(z.string().nullish()))).toEqual([".field"]);
    const wrong = z.object({ field: z.string().max(1).meta({ example: "ab" }).nullish() });
    expect(invalidExamplesOf(["", wrong, "input"])).toEqual(["ab"]);
  });
});
