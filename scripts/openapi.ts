import { writeFileSync } from "node:fs";
import { handlers } from "@/server/operations";
import { openApi } from "@/server/transports/rest/openapi";
import { published } from "@/server/transports/rest/openapi-published";
import { atOnce } from "@/server/transports/rest/pieces";

/* `npm run openapi [-- file]`: writes the description of the REST API, for tools that read a file. */
const file = process.argv[2] ?? "openapi.json";
const operations = handlers().map(({ operation }) => operation);
writeFileSync(file, `${JSON.stringify(atOnce(published(openApi(operations))), null, 2)}\n`);
process.stdout.write(`Wrote ${file}: ${operations.length} operations\n`);
