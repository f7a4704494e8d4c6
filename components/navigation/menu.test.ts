import { readdirSync } from "node:fs";
import { PHASE_PRODUCTION_SERVER } from "next/constants";
import { expect, test } from "vitest";
import nextConfig from "@/next.config.mjs";
import { buildMenu, findNearestMenuEntries, type Viewer } from "./menu";

const listKeysNear = (path: string) =>
  findNearestMenuEntries(
    path,
    buildMenu("customer").flatMap(({ entries }) => entries),
  ).map(({ key }) => key);

test("suggests the entries with the most similar paths", () => {
  expect(listKeysNear("/site")[0]).toBe("sites");
  expect(listKeysNear("/dashbord")[0]).toBe("dashboard");
  expect(listKeysNear("/developer/api-keys")[0]).toBe("apiKeys");
  expect(listKeysNear("/settings/securty")[0]).toBe("settings");
  expect(listKeysNear("/%F0%9F%90%88")).toHaveLength(4);
});

test.each<Viewer>(["customer", "agent", "reseller", "admin"])(
  "shows four entries in the bottom bar of a %s",
  (viewer) => {
    const barEntries = buildMenu(viewer).flatMap(({ entries }) =>
      entries.filter(({ bottomBarViewers }) => bottomBarViewers?.includes(viewer)),
    );
    expect(barEntries).toHaveLength(4);
    expect([barEntries[0]!.key, barEntries[3]!.key]).toEqual(["dashboard", "settings"]);
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
  const paths = new Set(pages.map((parts) => `/${parts.join("/")}`));
  const { redirects } = await nextConfig(PHASE_PRODUCTION_SERVER);
  for (const { source, destination } of await redirects!()) {
    expect(paths).toContain(destination);
    paths.add(source.replace(/:(\w+)\(.*\)/, "[$1]"));
  }
  const folders = pages.flatMap((parts) =>
    parts.slice(1).map((_, index) => `/${parts.slice(0, index + 1).join("/")}`),
  );
  expect([...new Set(folders)].filter((folder) => !paths.has(folder))).toEqual([]);
});
