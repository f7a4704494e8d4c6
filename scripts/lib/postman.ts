import converter from "openapi-to-postmanv2";
import type { AnyOperation } from "@/server/core/contract";
import { PLACEHOLDERS } from "@/server/transports/rest/openapi/generated-files";
import type { Json } from "@/server/transports/rest/openapi/json-schema";
import { FIRST_CALLS, type PostmanItem } from "./postman-first-calls";

interface PostmanCollection {
  item: Array<{ name: string; item: PostmanItem[] }>;
  variable?: Array<{ key: string; value: string }>;
}

const CONVERTER_OPTIONS = {
  folderStrategy: "Tags",
  parametersResolution: "Example",
  enableOptionalParameters: false,
  alwaysInheritAuthentication: true,
  // No random values, so that builds are reproducible.
  schemaFaker: false,
} as const;

const STORE_TOKENS_SCRIPT = [
  "const body = pm.response.json();",
  'if (body.token) pm.collectionVariables.set("token", body.token);',
  'if (body.interim_token) pm.collectionVariables.set("interimToken", body.interim_token);',
];

export async function buildPostmanCollection(document: Json, operations: AnyOperation[]): Promise<Json> {
  const { item: folders, variable = [] } = await convertToPostman(document);
  const items = new Map<string, PostmanItem>();
  for (const item of folders.flatMap((folder) => folder.item)) {
    const operation = operations.find(({ id }) => id === item.name)!;
    items.set(operation.id, item);
    Object.assign(item, { name: operation.summary, event: [] });
    item.request.name = operation.summary;
    // Postman adds this header with the boundary.
    if (operation.upload)
      item.request.header = item.request.header.filter(({ key }) => key !== "Content-Type");
    if (operation.acceptsSiteKey)
      item.request.header.push({ key: "X-API-Key", value: "{{siteKey}}", disabled: true });
    for (const header of item.request.header)
      if (header.key === "Idempotency-Key") header.value = "{{$guid}}";
    if (operation.access !== "public") continue;
    item.request.auth = { type: "noauth" };
    if (item.response.some(({ body }) => /"(interim_)?token":/.test(body)))
      item.event = [{ listen: "test", script: { type: "text/javascript", exec: STORE_TOKENS_SCRIPT } }];
  }
  const variables = {
    ...Object.fromEntries(variable.map(({ key, value }) => [key, value])),
    baseUrl: PLACEHOLDERS.APP_URL,
    token: "",
    siteKey: "",
    email: PLACEHOLDERS.DEMO_EMAIL,
    password: PLACEHOLDERS.DEMO_PASSWORD,
    siteId: "",
    interimToken: "",
  };
  return {
    info: {
      name: `${PLACEHOLDERS.APP_NAME} API`,
      description:
        "`baseUrl` is this installation, `token` a user token (signing in stores it), `siteKey` a site's external key. " +
        "The folder “Quickstart” needs `email` and `password` of an account that has a free slot.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: "string" })),
    item: [{ name: "Quickstart", item: FIRST_CALLS.map((createItem) => createItem(items)) }, ...folders],
  };
}

/** Converts a document. Items get the operation id as name, and only successful responses remain. */
function convertToPostman(document: Json): Promise<PostmanCollection> {
  const data = structuredClone(document) as Json & {
    paths: Record<string, Record<string, OpenApiOperation>>;
  };
  for (const operation of Object.values(data.paths).flatMap((path) => Object.values(path))) {
    operation.summary = operation.operationId;
    const entries = Object.entries(operation.responses);
    operation.responses = Object.fromEntries(entries.filter(([status]) => Number(status) < 300));
  }
  return new Promise((resolve, reject) =>
    converter.convertV2({ type: "json", data }, CONVERTER_OPTIONS, (error, result) => {
      const [collection] = result?.output ?? [];
      if (collection) resolve(collection.data as PostmanCollection);
      else reject(error ?? new Error(result?.reason));
    }),
  );
}

interface OpenApiOperation {
  operationId: string;
  summary: string;
  responses: Record<string, unknown>;
}
