import { writeFileSync } from "node:fs";
import { toOperatorError } from "@/server/core/operator-error";
import { createOpenApiDocument, serializeDocument } from "@/server/transports/rest/openapi/document";
import { fillPlaceholders } from "@/server/transports/rest/openapi/generated-files";
import { getHandlers } from "@/server/transports/rest/operations";
import { runCommand } from "./lib/command";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run openapi [-- <file>]   writes the OpenAPI document to a file, by default openapi.json
 */
const [file = "openapi.json"] = readArguments(import.meta.url).positionals;

await runCommand(() => {
  const operations = getHandlers().map(({ operation }) => operation);
  try {
    writeFileSync(file, `${fillPlaceholders(serializeDocument(createOpenApiDocument(operations), 2))}\n`);
  } catch (error) {
    throw toOperatorError(error, file, "write");
  }
  process.stdout.write(`Wrote ${file}: ${operations.length} operations\n`);
});
