import type { DocField } from "@/components/docs/types";

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
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  pattern?: string;
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

function choices(schema: JsonSchema): JsonSchema[] {
  const { type } = schema;
  if (Array.isArray(type)) return type.map((one) => ({ ...schema, type: one }));
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

const isNull = (schema: JsonSchema) => schema.type === "null";

/** The alternative a person would send or expect: the first that is not null. */
function main(schema: JsonSchema): JsonSchema {
  const given = choices(schema).filter((choice) => !isNull(choice));
  return given.length === 1 && given[0] !== schema ? main(given[0]!) : (given[0] ?? schema);
}

function typeOf(schema: JsonSchema): string {
  const names = choices(schema).flatMap((choice) => {
    if (choice !== schema && (choice.anyOf ?? choice.oneOf)) return typeOf(choice).split(" | ");
    if (choice.type === "array") return [`${typeOf(choice.items ?? {})}[]`];
    return [choice.type ?? (choice.const !== undefined ? typeof choice.const : null)].filter(
      (name) => name !== null,
    );
  });
  const known = [...new Set(names)];
  // To a reader, true, false, 1, 0 and their spellings are all one boolean.
  if (known.includes("boolean")) return known.includes("null") ? "boolean | null" : "boolean";
  return known.join(" | ") || "any";
}

/** Returns the fields of an object, nested ones by their path. */
export function fieldsOf(schema: JsonSchema, prefix = "", depth = 0): DocField[] {
  const object = main(schema);
  const { properties = {}, required = [] } = object;
  return Object.entries(properties).flatMap(([name, value]) => {
    const inner = main(value);
    const list = inner.type === "array";
    const path = `${prefix}${name}`;
    const nested = list ? main(inner.items ?? {}) : inner;
    const field = fieldOf(path, value, required.includes(name));
    if (!nested.properties || depth >= 2) return [field];
    return [field, ...fieldsOf(nested, `${path}${list ? "[]" : ""}.`, depth + 1)];
  });
}

function fieldOf(path: string, schema: JsonSchema, required: boolean): DocField {
  const inner = main(schema);
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

const TEXTS: Record<string, string> = {
  name: "Ayşe Kaya",
  email: "ayse@example.com",
  phone: "+905321234567",
  password: "a-long-passphrase",
  password_confirmation: "a-long-passphrase",
  current_password: "a-long-passphrase",
  domain: "example.com",
  token: "dsu_…",
  interim_token: "dsi_…",
  api_key: "dsk_…",
  modules: "saas",
  allowed_modules: "saas",
  features: "AI assistant",
  code: "482913",
  timezone: "Europe/Istanbul",
  widget_color: "#4F46E5",
  widget_position: "bottom-right",
  bot_name: "Ada",
  welcome_message: "Hello! How can we help you?",
  system_prompt: "Answer briefly and politely.",
  avatar_url: "https://example.com/ayse.png",
  currency: "TRY",
  plan: "Pro",
  slug: "pro",
  billing_period: "yearly",
  version: "3f1c9a52b7d04e68",
};
const NUMBERS: Record<string, number> = {
  id: 7,
  user_id: 7,
  credits: 1000,
  price: 9999,
  annual_price_try: 3999,
  payment_days: 14,
  similarity_threshold: 0.75,
  max_messages_per_session: 50,
  monthly_credits: 10_000,
  site_slots: 5,
  total_slots: 5,
  used_slots: 2,
  remaining_slots: 3,
  retry_after: 42,
};

/** Returns an example value of a schema. `terse` leaves out optional fields. */
export function sampleOf(schema: JsonSchema, { terse = false, name = "" } = {}): unknown {
  const one = main(schema);
  if (one.const !== undefined) return one.const;
  if (one.enum) return one.enum[0];
  if (one.type === "array") return one.items ? [sampleOf(one.items, { terse, name })] : [];
  if (one.type === "boolean") return true;
  if (one.type === "integer" || one.type === "number") return NUMBERS[name] ?? Math.max(1, one.minimum ?? 1);
  if (one.type === "object") return sampleObject(one, terse);
  if (one.pattern?.startsWith("^\\d{4}")) return "2027-11-20T09:30:00.000000Z";
  if (one.type === "string") return TEXTS[name] ?? "…";
  return null;
}

function sampleObject({ properties = {}, required = [], ...rest }: JsonSchema, terse: boolean): unknown {
  const keys = (rest.propertyNames?.enum ?? []).map(String);
  if (keys.length > 0 && typeof rest.additionalProperties === "object") {
    const value = rest.additionalProperties;
    return Object.fromEntries(keys.slice(0, 2).map((key) => [key, sampleOf(value, { name: key })]));
  }
  const all = Object.entries(properties);
  // Consents are formally optional, yet no account can be opened without them.
  const needed = all.filter(([name]) => required.includes(name) || name === "consents");
  const shown = terse && needed.length > 0 ? needed : all;
  const sample = Object.fromEntries(shown.map(([name, value]) => [name, sampleOf(value, { terse, name })]));
  // An object with a domain is a site, which needs a site's name instead of a person's.
  return "domain" in sample && "name" in sample ? { ...sample, name: "Kaya Kahve" } : sample;
}
