import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  createOpenApiDocument,
  selectPaths,
  serializeDocument,
} from "@/server/transports/rest/openapi/document";
import { buildHandlers } from "@/server/transports/rest/operations";
import { buildPostmanCollection } from "./postman";

const GENERATED_FOLDER = "server/transports/rest/generated";

const isForDemo = (path: string) => path.startsWith("/api/dev/");
const isForAdministrators = (path: string) => /^\/api\/(admin\/|dev\/|setup$)/.test(path);
const operations = buildHandlers({ production: false }).map(({ operation }) => operation);
const fullDocument = createOpenApiDocument(operations);
const productDocument = selectPaths(fullDocument, (path) => !isForDemo(path), "");
const integratorDocument = selectPaths(
  productDocument,
  (path) => !isForAdministrators(path),
  "`/api/openapi-admin.json` describes the set-up and the operations of administrators.",
);
const { webhooks: _, ...withoutWebhooks } = fullDocument;
const administratorDocument = selectPaths(
  withoutWebhooks,
  isForAdministrators,
  "This document describes the set-up and the operations of administrators; `/api/openapi.json` describes everything else.",
);
writeAtomically(`${GENERATED_FOLDER}/openapi.json`, serializeDocument(integratorDocument));
writeAtomically(
  `${GENERATED_FOLDER}/openapi-admin.json`,
  serializeDocument(selectPaths(administratorDocument, (path) => !isForDemo(path), "")),
);
writeAtomically(`${GENERATED_FOLDER}/openapi-admin-demo.json`, serializeDocument(administratorDocument));
writeAtomically(`${GENERATED_FOLDER}/openapi-client.json`, serializeDocument(productDocument));
// Ids are random and would change the file with each build.
const collection = await buildPostmanCollection(productDocument, operations);
writeAtomically(
  `${GENERATED_FOLDER}/postman.json`,
  JSON.stringify(collection, (key, value) => (key === "id" ? undefined : value)),
);
const idempotentOperations = operations
  .filter(({ idempotent }) => idempotent)
  .map(({ method, path }) => `${method} ${path}`);
writeAtomically(
  "client/generated/operations.ts",
  `/** Operations that take an \`Idempotency-Key\`. */
export const REPEATABLE: ReadonlySet<string> = new Set(${JSON.stringify(idempotentOperations)});
`,
);

/** Writes the whole file or nothing: another command may be reading it. */
function writeAtomically(name: string, text: string): void {
  const file = join(process.cwd(), name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}
