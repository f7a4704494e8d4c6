import { expect, it } from "vitest";
import { findClosest, findMatches } from "./search";

const ENTRIES = [
  { head: "createSite POST /api/sites Create a site", rest: "Sites", fields: ["name", "domain"] },
  { head: "listMedia GET /api/media List the files", rest: "Media", fields: ["kind"] },
  { head: "Webhooks", rest: "Every delivery is signed; a domain is checked." },
  { head: "İmza ve doğrulama", rest: "" },
];
const getFirstWords = (matches: ReturnType<typeof findMatches>) =>
  matches.map(({ entry }) => entry.head.split(" ")[0]);

it("finds operations by name, path and field, and guides by their text", () => {
  expect(getFirstWords(findMatches(ENTRIES, "POST sites"))).toEqual(["createSite"]);
  expect(
    findMatches(ENTRIES, "domain").map(({ entry, fields }) => [entry.head.split(" ")[0], fields]),
  ).toEqual([
    ["createSite", ["domain"]],
    ["Webhooks", []],
  ]);
  expect(getFirstWords(findMatches(ENTRIES, "imza DOGRULAMA"))).toEqual(["İmza"]);
  expect(findMatches(ENTRIES, "nothing of this")).toEqual([]);
});

it("ranks the operation by its name and path, before longer names and mentions", () => {
  const entries = [
    { head: "Create a key", rest: "for a site" },
    { head: "createSiteKey POST /api/admin/site-keys Create a key of a site", rest: "" },
    { head: "listSites GET /api/sites List sites", rest: "", fields: ["created_at"] },
    { head: "createSite POST /api/sites Create a site", rest: "" },
  ];
  for (const query of ["create site", "createSite", "post /api/sites"])
    expect(getFirstWords(findMatches(entries, query))[0], query).toBe("createSite");
  expect(getFirstWords(findMatches(entries, "create site"))).toEqual([
    "createSite",
    "createSiteKey",
    "Create",
    "listSites",
  ]);
});

it("returns the closest entries for a misspelled query", () => {
  expect(findClosest(ENTRIES, "wehbook")[0]!.head).toBe("Webhooks");
  expect(findClosest(ENTRIES, "creat sitte")[0]!.head).toMatch(/^createSite/);
  expect(findClosest(ENTRIES, "zzz")).toHaveLength(3);
});
