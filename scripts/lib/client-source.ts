import { createHash } from "node:crypto";
import type { Json } from "@/server/transports/rest/json-schema";
import { openApi } from "@/server/transports/rest/openapi";
import { handlers } from "@/server/transports/rest/operations";

const operations = () =>
  handlers()
    .map(({ operation }) => operation)
    .filter(({ path }) => !path.startsWith("/api/dev/"));

/** The description without what differs from one installation to the next, and without headers, which have no types. */
export function describedForClient(): Json {
  const { paths, components } = JSON.parse(JSON.stringify(openApi(operations()))) as unknown as Described;
  const methods = Object.values(paths).flatMap((each) => Object.values(each));
  for (const described of methods) delete described["x-limit"];
  for (const { responses } of [...methods, components])
    for (const response of Object.values(responses)) delete response.headers;
  delete components.headers;
  return { openapi: "3.1.0", info: { title: "Tellal", version: "1" }, paths, components };
}

interface Described {
  paths: Record<string, Record<string, Json & { responses: Record<string, Json> }>>;
  components: { responses: Record<string, Json>; headers?: Json };
}

/** What the client needs to know when it runs, and a mark of the description that it was made from. */
export function operationsSource(): string {
  const mark = createHash("sha256").update(JSON.stringify(describedForClient())).digest("hex");
  const repeatable = operations().filter(({ idempotent }) => idempotent);
  const lines = repeatable.map(({ method, path }) => `  "${method} ${path}",`).sort();
  return [
    `/* Written by \`npm run client\` from the description ${mark}. */`,
    "",
    "/** Operations that take an `Idempotency-Key`. */",
    `export const REPEATABLE: ReadonlySet<string> = new Set([\n${lines.join("\n")}\n]);`,
    "",
  ].join("\n");
}
