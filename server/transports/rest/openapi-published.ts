import type { Json } from "./json-schema";
import { withNamedBodies } from "./openapi-bodies";
import type { Pieces } from "./pieces";

/** Whom a description is for: who runs the installation reads of what nobody else may call. */
export type Audience = "integrators" | "administrators";

const FOR_ADMINISTRATORS = /^\/api\/(admin\/|dev\/|setup$)/;

type Components = Record<string, Record<string, Json>>;

/**
 * The description as it is sent: without examples that say no more than their schema does, as `7` of an integer, one of the
 * values of an enum, a hash, or null. The Postman collection and the pages of the reference, which show whole bodies, have them.
 * Objects are open, because clients ignore fields that they do not know.
 */
export function* published(document: Json, audience?: Audience): Pieces<Json> {
  const copy = yield* sparedCopy(audience ? only(document, audience) : document);
  const { components, paths, ...rest } = yield* withNamedBodies(copy);
  const used = yield* usedBy(paths as Json, rest, components as Components);
  return { ...rest, components: used, paths };
}

/** The document with the operations of one audience. */
function only(document: Json, audience: Audience): Json {
  const { info, tags, paths, webhooks, ...rest } = document as Json & {
    info: Json;
    tags: Array<{ name: string }>;
    paths: Record<string, Json>;
  };
  const kept = Object.entries(paths).filter(
    ([path]) => FOR_ADMINISTRATORS.test(path) === (audience === "administrators"),
  );
  const names = new Set(
    kept.flatMap(([, methods]) =>
      Object.values(methods).flatMap((each) => (each as { tags: string[] }).tags),
    ),
  );
  return {
    ...rest,
    info: { ...info, description: `${info.description} ${ELSEWHERE[audience]}` },
    tags: tags.filter(({ name }) => names.has(name)),
    paths: Object.fromEntries(kept),
    ...(audience === "integrators" && { webhooks }),
  };
}

const ELSEWHERE: Record<Audience, string> = {
  integrators:
    "What only administrators may call, the setup, and what only a demonstration has are described in `/api/openapi-admin.json`.",
  administrators:
    "This is what only administrators may call, the setup, and what only a demonstration has; all else is described in `/api/openapi.json`.",
};

/** The components that the paths and the rest lead to, in the order in which they do. */
function* usedBy(paths: Json, rest: Json, components: Components): Pieces<Components> {
  const used: Components = { schemas: {}, parameters: {}, responses: {}, headers: {}, securitySchemes: {} };
  const use = (kind: string, name: string): void => {
    if (name in used[kind]!) return;
    used[kind]![name] = components[kind]![name]!;
    visit(used[kind]![name]);
  };
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { $ref, security } = part as { $ref?: string; security?: Json[] };
    const [, , kind, name] = $ref?.split("/") ?? [];
    if (kind && name) use(kind, name);
    for (const scheme of security?.flatMap(Object.keys) ?? []) use("securitySchemes", scheme);
    for (const each of Object.values(part)) visit(each);
  };
  for (const path of Object.values(paths)) {
    visit(path);
    yield;
  }
  visit(rest);
  return used;
}

function* sparedCopy(document: Json): Pieces<Json> {
  const { paths, ...rest } = document;
  const copy: Json = {};
  for (const [path, methods] of Object.entries(paths as Json)) {
    copy[path] = spared(methods);
    yield;
  }
  return { ...spared(rest), paths: copy };
}

function spared<T>(part: T): T {
  if (Array.isArray(part)) return part.map(spared) as T;
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).flatMap(([key, value]) => {
    const leftOut =
      key === "examples" ? saysNothing(part as Json, value) : key === "additionalProperties" && !value;
    return leftOut ? [] : [[key, spared(value)]];
  });
  return Object.fromEntries(entries) as T;
}

/** A hash, a key, or what else nobody reads. */
const RANDOM = /^[\w-]{24,}$/;

/** Kinds of values that look alike wherever they are. */
const PLAIN = new Set(["integer", "number", "boolean"]);

function saysNothing(schema: Json, examples: unknown): boolean {
  if (!Array.isArray(examples)) return false;
  const { type, format, pattern, const: only, enum: values } = schema;
  const [one] = Array.isArray(type) ? type : [type];
  return (
    PLAIN.has(one) ||
    format !== undefined ||
    pattern !== undefined ||
    only !== undefined ||
    values !== undefined ||
    examples[0] === null ||
    RANDOM.test(String(examples[0]))
  );
}
