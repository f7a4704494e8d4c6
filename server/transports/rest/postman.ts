import { createHash } from "node:crypto";
import * as z from "zod";
import { type AnyOperation, operation } from "@/server/core/contract";
import { env } from "@/server/core/env";
import type { Json } from "./json-schema";
import type { Pieces } from "./pieces";
import { FIRST_CALLS } from "./postman-first-calls";
import { resolved, sampleOf } from "./sample";

export const getPostman = operation({
  id: "getPostman",
  method: "GET",
  path: "/api/postman.json",
  tag: "Operation",
  summary: "This description, as a Postman collection",
  description:
    "Collection format 2.1, made from the same contracts. Signing in stores the token for the other calls; the folder " +
    "“First calls” runs from top to bottom.",
  access: "public",
  limit: { points: 120, per: 60, by: "ip" },
  cacheControl: "public, max-age=300",
  status: 200,
  output: z.record(z.string(), z.unknown()).meta({ example: { info: { name: "Tellal API" } } }),
});

interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Json[];
  parameters: Json[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, Json & { content?: Record<string, { schema: Json }> }>;
}

/** The collection that shows the operations of this description; its ids change with nothing but their names. */
export function* postmanCollection(document: Json, operations: AnyOperation[]): Pieces<Json> {
  const items = new Map<string, Json>();
  const folders = new Map<string, Json[]>();
  for (const { path, method, id } of operations) {
    if (path.startsWith("/api/dev/")) continue;
    const paths = document.paths as Record<string, Record<string, Described>>;
    const described = paths[path]![method.toLowerCase()]!;
    const item = itemOf(document, described, { path, method });
    items.set(id, item);
    folders.set(described.tags[0]!, [...(folders.get(described.tags[0]!) ?? []), item]);
    yield;
  }
  const { APP_NAME, APP_URL, production } = env();
  // The demo's accounts are printed when it starts.
  const [email, password] = production ? ["", ""] : ["customer@example.com", "demo-password"];
  const variables = {
    baseUrl: APP_URL,
    token: "",
    siteKey: "",
    email,
    password,
    siteId: "",
    interimToken: "",
  };
  return {
    info: {
      _postman_id: idOf("collection"),
      name: `${APP_NAME} API`,
      description:
        "`baseUrl` is this installation, `token` a user token (signing in stores it), `siteKey` a site's external key. " +
        "The folder “First calls” needs `email` and `password` of an account that has a free slot.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: "string" })),
    item: [
      { id: idOf("First calls"), name: "First calls", item: FIRST_CALLS.map((call) => call(items)) },
      ...[...folders].map(([name, item]) => ({ id: idOf(`folder ${name}`), name, item })),
    ],
  };
}

function itemOf(
  document: Json,
  described: Described,
  { path, method }: { path: string; method: string },
): Json {
  const { operationId, summary, description, security, requestBody, responses } = described;
  const parameters = described.parameters.map((each) => resolved(each, document));
  const stored = signsIn(document, described) ? [STORE_TOKEN] : [];
  return {
    id: idOf(operationId),
    name: summary,
    ...(stored.length > 0 && {
      event: [{ listen: "test", script: { type: "text/javascript", exec: stored.flat() } }],
    }),
    request: {
      method,
      ...(security.length === 0 && { auth: { type: "noauth" } }),
      description,
      header: [
        { key: "Accept", value: "application/json" },
        ...(requestBody?.content["application/json"]
          ? [{ key: "Content-Type", value: "application/json" }]
          : []),
        ...(security.some((one) => "siteKey" in one)
          ? [{ key: "X-API-Key", value: "{{siteKey}}", description: "Instead of a token", disabled: true }]
          : []),
        ...parameters
          .filter((each) => each.in === "header")
          .map(({ name }) => ({ key: name, value: "{{$guid}}", disabled: true })),
      ],
      url: urlOf(document, path, parameters),
      ...(requestBody && { body: bodyOf(document, requestBody.content) }),
    },
    response: examples(document, responses),
  };
}

function urlOf(document: Json, path: string, parameters: Json[]): Json {
  const value = ({ schema }: Json) => String(sampleOf(schema as Json, document));
  const within = new Map(parameters.filter((each) => each.in === "path").map((each) => [each.name, each]));
  // A variable is a whole step of the path; `{locale}.json` has its example.
  const steps = path
    .slice(1)
    .split("/")
    .map((step) =>
      step.replace(/\{(\w+)\}/, (given, name) => (step === given ? `:${name}` : value(within.get(name)!))),
    );
  const variable = steps.flatMap((step) => {
    const found = step.startsWith(":") && within.get(step.slice(1));
    return found ? [{ key: found.name, value: value(found), description: found.description }] : [];
  });
  const query = parameters
    .filter((each) => each.in === "query")
    .map((each) => ({
      key: each.name,
      value: value(each),
      description: each.description,
      ...(!each.required && { disabled: true }),
    }));
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{baseUrl}}/${steps.join("/")}${sent.length > 0 ? `?${sent.join("&")}` : ""}`,
    host: ["{{baseUrl}}"],
    path: steps,
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  };
}

function bodyOf(document: Json, content: Record<string, { schema: Json }>): Json {
  const form = content["multipart/form-data"];
  if (form) {
    const [field] = Object.keys(form.schema.properties as Json);
    return { mode: "formdata", formdata: [{ key: field, type: "file", src: [] }] };
  }
  const sample = sampleOf(content["application/json"]!.schema, document, true);
  return { mode: "raw", raw: print(sample), options: { raw: { language: "json" } } };
}

/** What an operation answers when it succeeds. */
function examples(document: Json, responses: Described["responses"]): Json[] {
  const [code, { content } = {}] = Object.entries(responses).find(([status]) => Number(status) < 300)!;
  const schema = content?.["application/json"]?.schema;
  if (!schema) return [];
  return [
    {
      name: code === "201" ? "Created" : "Success",
      code: Number(code),
      status: code === "201" ? "Created" : "OK",
      _postman_previewlanguage: "json",
      header: [{ key: "Content-Type", value: "application/json; charset=utf-8" }],
      body: print(sampleOf(schema, document)),
    },
  ];
}

/** Whether the response of a public operation may have a user token. */
function signsIn(document: Json, { security, responses }: Described): boolean {
  const schema = Object.entries(responses).find(([status]) => Number(status) < 300)?.[1].content?.[
    "application/json"
  ]?.schema;
  const leadsToToken = (part: Json): boolean => {
    const { properties, anyOf = [], oneOf = [] } = resolved(part, document) as Record<string, Json[]>;
    return "token" in (properties ?? {}) || [...anyOf, ...oneOf].some(leadsToToken);
  };
  return security.length === 0 && schema !== undefined && leadsToToken(schema);
}

const STORE_TOKEN = [
  "const answer = pm.response.json();",
  'if (answer.token) pm.collectionVariables.set("token", answer.token);',
  'if (answer.interim_token) pm.collectionVariables.set("interimToken", answer.interim_token);',
];

function print(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** A UUID that is the same for the same name. */
function idOf(name: string): string {
  const hex = createHash("sha256").update(`postman ${name}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
