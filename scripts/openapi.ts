import { writeFileSync } from "node:fs";
import { pathError } from "@/server/core/operator-error";
import { openApi } from "@/server/transports/rest/openapi";
import { published } from "@/server/transports/rest/openapi-published";
import { handlers } from "@/server/transports/rest/operations";
import { atOnce } from "@/server/transports/rest/pieces";
import { perform } from "./lib/command";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run openapi [-- <file>]   writes the description of the REST API into a file, by default openapi.json
 */
const [file = "openapi.json"] = readArguments(import.meta.url).positionals;

await perform(() => {
  const operations = handlers().map(({ operation }) => operation);
  const text = `${JSON.stringify(atOnce(published(openApi(operations))), null, 2)}\n`;
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw pathError(error, file, "write");
  }
  process.stdout.write(`Wrote ${file}: ${operations.length} operations\n`);
});
