import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { firstIn, menuFor, nearestTo, type Viewer } from "./menu";

const keysNear = (path: string) =>
  nearestTo(
    path,
    menuFor("customer").flatMap(({ entries }) => entries),
  ).map(({ key }) => key);

test("an address without a page leads to the entries most like it", () => {
  expect(keysNear("/site")[0]).toBe("sites");
  expect(keysNear("/dashbord")[0]).toBe("dashboard");
  expect(keysNear("/developer/api-keys")[0]).toBe("apiKeys");
  expect(keysNear("/settings/securty")[0]).toBe("settings");
  expect(keysNear("/%F0%9F%90%88")).toHaveLength(4);
});

test.each<Viewer>(["customer", "agent", "reseller", "admin"])(
  "the bottom bar of a %s has four entries",
  (viewer) => {
    const bar = menuFor(viewer).flatMap(({ entries }) => entries.filter(({ bar }) => bar?.includes(viewer)));
    expect(bar.map(({ key }) => key)).toEqual(["dashboard", "sites", expect.anything(), "settings"]);
  },
);

test("a group leads to the first page that the viewer has there", () => {
  expect(firstIn("groupAdmin", "admin")).toBe("/admin/users");
  expect(firstIn("groupAdmin", "reseller")).toBeUndefined();
  expect(firstIn("groupDevelopers", "agent")).toBe("/developers/docs");
});

test("every folder of the panel has a page of its own", () => {
  const pages = readdirSync("app/(panel)", { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) =>
      file
        .split("/")
        .slice(0, -1)
        .filter((part) => !part.startsWith("(")),
    );
  const addresses = new Set(pages.map((parts) => parts.join("/")));
  const folders = pages.flatMap((parts) => parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/")));
  expect([...new Set(folders)].filter((folder) => !addresses.has(folder))).toEqual([]);
});
