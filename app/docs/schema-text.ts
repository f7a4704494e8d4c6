import { type JsonSchema, mainVariant, variantsOf } from "@/server/transports/rest/openapi/json-schema";
import type { DocField } from "./types";

function typeOf(schema: JsonSchema): string {
  const names = variantsOf(schema).flatMap((choice) => {
    if (choice !== schema && (choice.anyOf ?? choice.oneOf)) return typeOf(choice).split(" | ");
    if (choice.type === "array") return [`${typeOf(choice.items ?? {})}[]`];
    return [choice.type ?? (choice.const !== undefined ? typeof choice.const : null)].filter(
      (name) => name !== null,
    );
  });
  const types = [...new Set(names)];
  // Boolean inputs also accept 1, 0 and strings; show all of them as boolean.
  if (types.includes("boolean")) return types.includes("null") ? "boolean | null" : "boolean";
  return types.join(" | ") || "any";
}

export function fieldsOf(schema: JsonSchema, prefix = "", depth = 0): DocField[] {
  const object = mainVariant(schema);
  const { properties = {}, required = [] } = object;
  return Object.entries(properties).flatMap(([name, value]) => {
    const inner = mainVariant(value);
    const list = inner.type === "array";
    const path = `${prefix}${name}`;
    const nested = list ? mainVariant(inner.items ?? {}) : inner;
    const field = fieldOf(path, value, required.includes(name));
    if (!nested.properties || depth >= 2) return [field];
    return [field, ...fieldsOf(nested, `${path}${list ? "[]" : ""}.`, depth + 1)];
  });
}

function fieldOf(path: string, schema: JsonSchema, required: boolean): DocField {
  const inner = mainVariant(schema);
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
