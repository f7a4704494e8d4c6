import { readdirSync } from "node:fs";
import { PHASE_PRODUCTION_SERVER } from "next/constants";
import { expect, test } from "vitest";
import nextConfig from "@/next.config.mjs";
import { menuFor, nearestTo, type Viewer } from "./menu";

const keysNear = (path: string) =>
  nearestTo(
    path,
    menuFor("customer").flatMap(({ entries }) => entries),
  ).map(({ key }) => key);

test("suggests the entries with the most similar addresses", () => {
  expect(keysNear("/site")[0]).toBe("sites");
  expect(keysNear("/dashbord")[0]).toBe("dashboard");
  expect(keysNear("/developer/api-keys")[0]).toBe("apiKeys");
  expect(keysNear("/settings/securty")[0]).toBe("settings");
  expect(keysNear("/%F0%9F%90%88")).toHaveLength(4);
});

test.each<Viewer>(["customer", "agent", "reseller", "admin"])(
  "shows four entries in the bottom bar of a %s",
  (viewer) => {
    const bar = menuFor(viewer).flatMap(({ entries }) => entries.filter(({ bar }) => bar?.includes(viewer)));
    expect(bar.map(({ key }) => key)).toEqual(["dashboard", "sites", expect.anything(), "settings"]);
  },
);

test("every folder of the panel has a page or redirects to one", async () => {
  const pages = readdirSync("app/(panel)", { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) =>
      file
        .split("/")
        .slice(0, -1)
        .filter((part) => !part.startsWith("(")),
    );
  const addresses = new Set(pages.map((parts) => `/${parts.join("/")}`));
  const { redirects } = await nextConfig(PHASE_PRODUCTION_SERVER);
  for (const { source, destination } of await redirects!()) {
    expect(addresses).toContain(destination);
    addresses.add(source);
  }
  const folders = pages.flatMap((parts) =>
    parts.slice(1).map((_, at) => `/${parts.slice(0, at + 1).join("/")}`),
  );
  expect([...new Set(folders)].filter((folder) => !addresses.has(folder))).toEqual([]);
});
