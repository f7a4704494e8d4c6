import { expect, test } from "vitest";
import { menuFor, nearestTo, type Viewer } from "./menu";

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
