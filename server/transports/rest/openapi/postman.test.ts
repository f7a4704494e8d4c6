import { expect, it } from "vitest";
import { startTestServer } from "@/server/testing/server";
import { getHandlers } from "../operations";
import { getRouteTable } from "../routes";
import { toJsonSchema } from "./json-schema";

const { get } = await startTestServer();
const { json: collection, headers, text } = await get("/api/postman.json");
// The first folder, “Quickstart”, repeats operations of the others.
const [, ...folders] = collection.item;
const requests = folders.flatMap((folder: { item: object[] }) => folder.item);
const operations = getHandlers()
  .map(({ operation }) => operation)
  .filter(({ path }) => !path.startsWith("/api/dev/"));

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary parts of the collection
function getPath({ url }: any): string {
  const values = new Map(
    (url.variable ?? []).map((each: { key: string; value: string }) => [each.key, each.value]),
  );
  const segments = url.path.map((step: string) => (step.startsWith(":") ? values.get(step.slice(1)) : step));
  return `/${segments.join("/").replace("{{locale}}", "en")}`;
}

it("contains every operation once, at its own path", () => {
  expect(headers["cache-control"]).toBe("public, max-age=300");
  expect(requests).toHaveLength(operations.length);
  const ids = requests.map(
    ({ request }: { request: { method: string } }) =>
      getRouteTable().match(getPath(request))?.route.methods.get(request.method)?.operation.id,
  );
  expect(ids.sort()).toEqual(operations.map(({ id }) => id).sort());
});

it("has bodies that match the contracts", () => {
  for (const { request, name } of requests) {
    if (request.body?.mode !== "raw") continue;
    const { operation } = getRouteTable().match(getPath(request))!.route.methods.get(request.method)!;
    const parsed = operation.body!.safeParse(JSON.parse(request.body.raw));
    expect(parsed.error?.issues ?? [], `${name} ${request.body.raw}`).toEqual([]);
  }
});

it("stores the token after sign-ins", () => {
  const signInRequests = requests.filter(({ event = [] }: { event?: unknown[] }) => event.length > 0);
  const names = signInRequests.map((item: { name: string }) => item.name);
  const signInOperations = operations.filter(
    ({ access, output }) =>
      access === "public" && /"(interim_)?token":/.test(JSON.stringify(toJsonSchema(output, "output"))),
  );
  expect(names.sort()).toEqual(signInOperations.map(({ summary }) => summary).sort());
  for (const { event } of signInRequests) expect(event[0].script.exec.join("\n")).toContain('"token"');
  expect(collection.variable.map(({ key }: { key: string }) => key)).toEqual(
    expect.arrayContaining(["baseUrl", "token", "siteKey"]),
  );
});

it("uses only variables that it sets", () => {
  const variableNames = new Set(collection.variable.map(({ key }: { key: string }) => key));
  for (const [, name] of text.matchAll(/pm\.variables\.set\(\\"(\w+)/g)) variableNames.add(name);
  for (const [, name] of text.matchAll(/\{\{([^}]+)\}\}/g))
    expect(name === "$guid" || variableNames.has(name), name).toBe(true);
});
