import { expect, it } from "vitest";
import { testServer } from "@/server/testing/server";
import { handlers } from "../operations";
import { routeTable } from "../routes";

const { get } = await testServer();
const { json: collection, headers, text } = await get("/api/postman.json");
const [, ...folders] = collection.item;
const requests = folders.flatMap((folder: { item: object[] }) => folder.item);
const operations = handlers()
  .map(({ operation }) => operation)
  .filter(({ path }) => !path.startsWith("/api/dev/"));

// biome-ignore lint/suspicious/noExplicitAny: a test names what it expects of it
function pathOf({ url }: any): string {
  const values = new Map(
    (url.variable ?? []).map((each: { key: string; value: string }) => [each.key, each.value]),
  );
  const steps = url.path.map((step: string) => (step.startsWith(":") ? values.get(step.slice(1)) : step));
  return `/${steps.join("/").replace("{{locale}}", "en")}`;
}

it("contains every operation once, at its own path", () => {
  expect(headers["cache-control"]).toBe("public, max-age=300");
  expect(requests).toHaveLength(operations.length);
  const ids = requests.map(
    ({ request }: { request: { method: string } }) =>
      routeTable().match(pathOf(request))?.route.methods.get(request.method)?.operation.id,
  );
  expect(ids.sort()).toEqual(operations.map(({ id }) => id).sort());
});

it("has bodies that match the contracts", () => {
  for (const { request, name } of requests) {
    if (request.body?.mode !== "raw") continue;
    const { operation } = routeTable().match(pathOf(request))!.route.methods.get(request.method)!;
    const parsed = operation.body!.safeParse(JSON.parse(request.body.raw));
    expect(parsed.error?.issues ?? [], `${name} ${request.body.raw}`).toEqual([]);
  }
});

it("stores the token after every sign-in", () => {
  const storing = requests.filter(({ event = [] }: { event?: unknown[] }) => event.length > 0);
  const names = storing.map((item: { name: string }) => item.name);
  expect(names.length).toBeGreaterThan(6);
  for (const { event } of storing) expect(event[0].script.exec.join("\n")).toContain('"token"');
  expect(collection.variable.map(({ key }: { key: string }) => key)).toEqual(
    expect.arrayContaining(["baseUrl", "token", "siteKey"]),
  );
});

it("uses only variables that it sets", () => {
  const defined = new Set(collection.variable.map(({ key }: { key: string }) => key));
  for (const [, name] of text.matchAll(/pm\.variables\.set\(\\"(\w+)/g)) defined.add(name);
  for (const [, name] of text.matchAll(/\{\{([^}]+)\}\}/g))
    expect(name === "$guid" || defined.has(name), name).toBe(true);
});
