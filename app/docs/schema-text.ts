import { findMainVariant, type JsonSchema, listVariants } from "@/server/transports/rest/openapi/json-schema";
import type { DocField } from "./types";

function formatType(schema: JsonSchema): string {
  const names = listVariants(schema).flatMap((choice) => {
    if (choice !== schema && (choice.anyOf ?? choice.oneOf)) return formatType(choice).split(" | ");
    if (choice.type === "array") return [`${formatType(choice.items ?? {})}[]`];
    return [choice.type ?? (choice.const !== undefined ? typeof choice.const : null)].filter(
      (name) => name !== null,
    );
  });
  const types = [...new Set(names)];
  // Boolean inputs also accept 1, 0 and strings; show only boolean.
  if (types.includes("boolean")) return types.includes("null") ? "boolean | null" : "boolean";
  return types.join(" | ") || "any";
}

export function listFields(schema: JsonSchema, prefix = "", depth = 0): DocField[] {
  const objectSchema = findMainVariant(schema);
  const { properties = {}, required = [] } = objectSchema;
  return Object.entries(properties).flatMap(([name, fieldSchema]) => {
    const variant = findMainVariant(fieldSchema);
    const isList = variant.type === "array";
    const path = `${prefix}${name}`;
    const nestedSchema = isList ? findMainVariant(variant.items ?? {}) : variant;
    const field = toField(path, fieldSchema, required.includes(name));
    if (!nestedSchema.properties || depth >= 2) return [field];
    return [field, ...listFields(nestedSchema, `${path}${isList ? "[]" : ""}.`, depth + 1)];
  });
}

function toField(path: string, schema: JsonSchema, required: boolean): DocField {
  const variant = findMainVariant(schema);
  const hasLength = variant.type === "string" && (variant.minLength ?? variant.maxLength) !== undefined;
  const hasRange = variant.type === "number" && (variant.minimum ?? variant.maximum) !== undefined;
  return {
    path,
    type: formatType(schema),
    required,
    description: schema.description ?? variant.description ?? null,
    values: variant.type === "string" ? (variant.enum ?? []).map(String) : [],
    limit: hasLength
      ? { kind: "characters", min: variant.minLength ?? null, max: variant.maxLength ?? null }
      : hasRange
        ? { kind: "value", min: variant.minimum ?? null, max: variant.maximum ?? null }
        : null,
  };
}
