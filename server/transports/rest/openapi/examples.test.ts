import { describe, expect, it } from "vitest";
import * as z from "zod";
import { buildErrorBodySchema, type ErrorCode, getErrorSpecs } from "@/server/core/errors";
import { getHandlers } from "../operations";
import { type Json, toJsonSchema } from "./json-schema";

type NamedSchema = [name: string, schema: z.ZodType, io: "input" | "output"];

const operationSchemas = getHandlers().flatMap(({ operation }): NamedSchema[] => {
  const { id, params, query, body, output, file } = operation;
  const schemas = { params, query, body, output: file ? undefined : output };
  return Object.entries(schemas).flatMap(([part, schema]) =>
    schema ? [[`${part} of ${id}`, schema, part === "output" ? "output" : "input"]] : [],
  );
});
const errorSchemas = Object.keys(getErrorSpecs()).map(
  (code): NamedSchema => [code, buildErrorBodySchema(code as ErrorCode), "output"],
);

interface Schema extends Json {
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
}

function listFieldsWithoutExample(schema: Schema, path = "", $defs = schema.$defs ?? {}): string[] {
  const { $ref, properties, anyOf, oneOf = anyOf, items, type } = schema;
  const listInner = (inner: Schema, at = path) => listFieldsWithoutExample(inner, at, $defs);
  if ($ref) return listInner($defs[$ref.replace("#/$defs/", "")]!);
  if ("examples" in schema) return [];
  if (properties)
    return Object.entries(properties).flatMap(([name, field]) => listInner(field, `${path}.${name}`));
  if ("const" in schema || "enum" in schema) return [];
  if ([type].flat().every((jsonType) => jsonType === "boolean" || jsonType === "null")) return [];
  if (oneOf) return oneOf.flatMap((choice) => listInner(choice));
  return items ? listInner(items, `${path}[]`) : [path];
}

function findInvalidExamples([, schema, io]: NamedSchema): unknown[] {
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
    const missingExamples = [...operationSchemas, ...errorSchemas].flatMap(([name, schema, io]) =>
      listFieldsWithoutExample(toJsonSchema(schema, io) as Schema).map((field) => `${name}: ${field}`),
    );
    expect(missingExamples).toEqual([]);
  });

  it("have examples that match their schemas", () => {
    const mismatches = [...operationSchemas, ...errorSchemas].flatMap((namedSchema) =>
      findInvalidExamples(namedSchema).map((example) => ({ name: namedSchema[0], example })),
    );
    expect(mismatches).toEqual([]);
  });
});

describe("an example", () => {
  const schemaWithField = (schema: z.ZodType) => toJsonSchema(z.object({ field: schema }), "input") as Schema;
  const textWithExample = z.string().meta({ example: "a" });

  it.each([
    ["before a check", textWithExample.max(5)],
    ["before a refinement", textWithExample.refine(() => true)],
    ["before a transformation", textWithExample.transform(Number)],
    ["after a transformation", z.string().transform(Number).meta({ example: "a" })],
    ["on a pipe", z.string().pipe(z.string().max(5)).meta({ example: "a" })],
    ["before nullish", textWithExample.nullish()],
    ["after nullish", z.string().nullish().meta({ example: "a" })],
    ["in a choice", z.union([textWithExample, z.null()])],
  ])("is kept %s", (_, schema) => {
    expect(listFieldsWithoutExample(schemaWithField(schema))).toEqual([]);
    expect(JSON.stringify(schemaWithField(schema))).toContain('"examples":["a"]');
  });

  it("is reported when missing or invalid", () => {
    expect(listFieldsWithoutExample(schemaWithField(z.string().nullish()))).toEqual([".field"]);
    const invalidSchema = z.object({ field: z.string().max(1).meta({ example: "ab" }).nullish() });
    expect(findInvalidExamples(["", invalidSchema, "input"])).toEqual(["ab"]);
  });
});
