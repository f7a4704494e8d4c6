import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { findOverBudget, formatSummary, formatTable, measureBuild } from "./budgets.mjs";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const createNoise = (kB: number) =>
  Array.from({ length: kB * 1000 }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join("");

function writeBuild(page: string, kB: number): string {
  const folder = mkdtempSync(join(tmpdir(), "tellal-budgets-"));
  folders.push(folder);
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const route = page.replace(/\/\(\w+\)|\/page$/g, "");
  const manifest = {
    clientModules: {
      "a.tsx": { chunks: ["/_next/static/chunks/a.js", "/_next/static/chunks/framework.js"] },
    },
    entryCSSFiles: { "app/layout": [{ path: "static/chunks/a.css" }] },
  };
  write("build-manifest.json", JSON.stringify({ rootMainFiles: ["static/chunks/framework.js"] }));
  write(
    "app-path-routes-manifest.json",
    JSON.stringify({ [page]: route, "/api/health/route": "/api/health" }),
  );
  write(
    `server/app${page}_client-reference-manifest.js`,
    `globalThis.__RSC_MANIFEST = {};\nglobalThis.__RSC_MANIFEST["${page}"] = ${JSON.stringify(manifest)};`,
  );
  write("static/chunks/framework.js", createNoise(100));
  write("static/chunks/a.js", createNoise(kB));
  write(
    "static/chunks/a.css",
    "@font-face{src:url(../media/latin.woff2);unicode-range:U+0-FF}@font-face{src:url(../media/arabic.woff2);unicode-range:U+6??}",
  );
  write("static/media/latin.woff2", createNoise(60));
  write("static/media/arabic.woff2", createNoise(90));
  return folder;
}

const findScriptRow = (page: string, kB: number) =>
  measureBuild(writeBuild(page, kB)).find(({ kind }) => kind === "script")!;

it("counts what every page loads once, with what the page adds", () => {
  const { weight } = findScriptRow("/docs/page", 100);
  expect(weight).toBeGreaterThan(150);
  expect(weight).toBeLessThan(210);
});

it.each([
  ["/docs/page", 150],
  ["/somewhere/new/page", 150],
  ["/(auth)/sign-in/page", 210],
  ["/(panel)/somewhere/new/page", 270],
  ["/(panel)/settings/profile/page", 300],
])("%s has the budget of its group, new pages too", (page, budget) => {
  expect(findScriptRow(page, 10).budget).toBe(budget);
});

it("finds pages over their budgets and sums fonts by script", () => {
  const heavyRows = measureBuild(writeBuild("/docs/page", 250));
  expect(
    findOverBudget(heavyRows).map(({ kind, name }: Record<string, unknown>) => `${kind} ${name}`),
  ).toEqual(["script /docs"]);
  expect(formatTable(findOverBudget(heavyRows))).toMatch(/^ {2}OVER script .*\/docs .* of 150 kB\n$/);
  const lightRows = measureBuild(writeBuild("/docs/page", 10));
  expect(findOverBudget(lightRows)).toEqual([]);
  expect(formatSummary(lightRows)).toMatch(/^1 pages within their budgets; nearest: /);
  expect(lightRows.filter(({ kind }) => kind === "fonts").map(({ weight }) => Math.round(weight))).toEqual([
    60, 60, 150,
  ]);
});
