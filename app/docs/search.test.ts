import { expect, it } from "vitest";
import { matching, nearest } from "./search";

const ALL = [
  { head: "createSite POST /api/sites Create a site", rest: "Sites", fields: ["name", "domain"] },
  { head: "listMedia GET /api/media List the files", rest: "Media", fields: ["kind"] },
  { head: "Webhooks", rest: "Every delivery is signed; a domain is checked." },
  { head: "İmza ve doğrulama", rest: "" },
];
const heads = (matches: ReturnType<typeof matching>) => matches.map(({ it }) => it.head.split(" ")[0]);

it("finds operations by name, path and field, and guides by their text", () => {
  expect(heads(matching(ALL, "POST sites"))).toEqual(["createSite"]);
  expect(matching(ALL, "domain").map(({ it, fields }) => [it.head.split(" ")[0], fields])).toEqual([
    ["createSite", ["domain"]],
    ["Webhooks", []],
  ]);
  expect(heads(matching(ALL, "imza DOGRULAMA"))).toEqual(["İmza"]);
  expect(matching(ALL, "nothing of this")).toEqual([]);
});

it("returns the closest entries for a misspelled query", () => {
  expect(nearest(ALL, "wehbook")[0]!.head).toBe("Webhooks");
  expect(nearest(ALL, "creat sitte")[0]!.head).toMatch(/^createSite/);
  expect(nearest(ALL, "zzz")).toHaveLength(3);
});
