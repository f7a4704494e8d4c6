import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  createOpenApiDocument,
  selectPaths,
  serializeDocument,
} from "@/server/transports/rest/openapi/document";
import { handlersOf } from "@/server/transports/rest/operations";
import { postmanCollection } from "./postman";

/* Writes the OpenAPI documents, the Postman collection and the client's list of idempotent operations, for prepare.mjs. */

const FOLDER = "server/transports/rest/generated";

const isForDemo = (path: string) => path.startsWith("/api/dev/");
const isForAdministrators = (path: string) => /^\/api\/(admin\/|dev\/|setup$)/.test(path);
const operations = handlersOf({ production: false }).map(({ operation }) => operation);
const all = createOpenApiDocument(operations);
const product = selectPaths(all, (path) => !isForDemo(path), "");
const integrators = selectPaths(
  product,
  (path) => !isForAdministrators(path),
  "`/api/openapi-admin.json` describes the set-up and the operations of administrators.",
);
const { webhooks: _, ...withoutWebhooks } = all;
const administrators = selectPaths(
  withoutWebhooks,
  isForAdministrators,
  "This document describes the set-up and the operations of administrators; `/api/openapi.json` describes everything else.",
);
write(`${FOLDER}/openapi.json`, serializeDocument(integrators));
write(
  `${FOLDER}/openapi-admin.json`,
  serializeDocument(selectPaths(administrators, (path) => !isForDemo(path), "")),
);
write(`${FOLDER}/openapi-admin-demo.json`, serializeDocument(administrators));
write(`${FOLDER}/openapi-client.json`, serializeDocument(product));
// Ids are random and would change the file with each build.
const collection = await postmanCollection(product, operations);
write(
  `${FOLDER}/postman.json`,
  JSON.stringify(collection, (key, value) => (key === "id" ? undefined : value)),
);
const repeatable = operations
  .filter(({ idempotent }) => idempotent)
  .map(({ method, path }) => `${method} ${path}`);
write(
  "client/generated/operations.ts",
  `/** Operations that take an \`Idempotency-Key\`. */
export const REPEATABLE: ReadonlySet<string> = new Set(${JSON.stringify(repeatable)});
`,
);

/** Writes the whole file or nothing: another command may be reading it. */
function write(name: string, text: string): void {
  const file = join(process.cwd(), name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}
