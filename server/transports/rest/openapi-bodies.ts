import type { Json } from "./json-schema";
import type { Pieces } from "./pieces";

interface Described {
  operationId: string;
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}
type Content = Record<string, { schema: Json }>;

/** Keywords below which there are values, not schemas. */
const VALUES = new Set(["examples", "enum", "const", "default", "required"]);

/**
 * Names every body of an operation, and every object that is described twice, and puts references in their places. What is
 * alike then stands close together, which makes the document shorter on the line, too. What it is given, it changes.
 */
export function* withNamedBodies(document: Json): Pieces<Json> {
  const { paths, webhooks, components } = document as {
    paths: Record<string, Record<string, Described>>;
    webhooks?: Json;
    components: Json & { schemas: Record<string, Json> };
  };
  const named = new Named(components.schemas);
  for (const path of Object.values(paths)) {
    named.count(path);
    yield;
  }
  named.count(webhooks);
  for (const schema of Object.values(components.schemas)) {
    for (const part of Object.values(schema)) named.count(part);
    yield;
  }
  for (const { operationId, requestBody, responses } of Object.values(paths).flatMap((one) =>
    Object.values(one),
  )) {
    // Generators of clients make types that end with Body, Data, Response and Result themselves.
    const name = capitalised(operationId);
    named.body(`${name}Input`, requestBody?.content);
    for (const [status, { content }] of Object.entries(responses))
      if (Number(status) < 300) named.body(`${name}Output`, content);
    yield;
  }
  for (const [name, schema] of Object.entries(components.schemas)) {
    components.schemas[name] = named.inside(schema, name);
    yield;
  }
  return { ...document, paths, ...(webhooks && { webhooks: named.placed(webhooks, "Event") }), components };
}

class Named {
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly schemas: Record<string, Json>) {
    for (const [name, schema] of Object.entries(schemas)) this.names.set(JSON.stringify(schema), name);
  }

  count(part: unknown): void {
    if (typeof part !== "object" || part === null) return;
    if (isObject(part)) {
      const text = JSON.stringify(part);
      this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
    }
    for (const [key, value] of Object.entries(part)) if (!VALUES.has(key)) this.count(value);
  }

  body(name: string, content?: Content): void {
    const json = content?.["application/json"];
    if (json && !json.schema.$ref) json.schema = this.reference(name, json.schema);
  }

  /** This part with references in it; `owner` begins the names that they get. */
  placed(part: unknown, owner: string): unknown {
    if (Array.isArray(part))
      return part.map((each, at) => this.placed(each, at === 0 ? owner : `${owner}${at + 1}`));
    if (typeof part !== "object" || part === null) return part;
    const isKnown = () => this.names.has(JSON.stringify(part)) || this.counts.get(JSON.stringify(part))! > 1;
    if (isObject(part) && isKnown()) return this.reference(owner, part);
    return this.inside(part as Json, owner);
  }

  inside(schema: Json, owner: string): Json {
    const entries = Object.entries(schema).map(([key, value]) => {
      if (VALUES.has(key)) return [key, value];
      if (key !== "properties") return [key, this.placed(value, `${owner}${NAMES_OF[key] ?? ""}`)];
      const fields = Object.entries<unknown>(value as Json).map(([name, field]) => {
        return [name, this.placed(field, owner + capitalised(name))];
      });
      return [key, Object.fromEntries(fields)];
    });
    return Object.fromEntries(entries);
  }

  private reference(wanted: string, schema: Json): Json {
    const text = JSON.stringify(schema);
    const name = this.names.get(text) ?? this.freeName(wanted);
    if (!this.names.has(text)) {
      this.names.set(text, name);
      this.schemas[name] = schema;
      this.schemas[name] = this.inside(schema, name);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  private freeName(wanted: string): string {
    return wanted in this.schemas ? this.freeName(`${wanted}_`) : wanted;
  }
}

/** What the name of a part below these keywords ends with. */
const NAMES_OF: Record<string, string> = { items: "Item", additionalProperties: "Value" };

function isObject(part: object): part is Json {
  return "properties" in part && (part as Json).type === "object";
}

/** `at_end` as `AtEnd`. */
function capitalised(name: string): string {
  return name.replace(/(?:^|[_-])(.)/g, (_, letter: string) => letter.toUpperCase());
}
