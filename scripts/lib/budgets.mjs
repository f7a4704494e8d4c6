import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./steps.mjs";

/* Size budgets of the first load of each page, from the output of `next build`. Builds fail above them. */

/** JavaScript in kB after gzip. The first group whose folder matches applies. */
const PAGE_GROUPS = [
  { name: "signed out", folder: /^\/\(auth\)\//, script: 210 },
  {
    name: "forms",
    folder:
      /^\/\(panel\)\/(settings\/|sites\/(new|\[id\])\/|admin\/subscriptions\/activate\/|reseller\/(agreement|referral|customers\/\[id\])\/)/,
    script: 300,
  },
  // An unknown address renders in the panel's frame.
  { name: "lists", folder: /^\/(\(panel\)|\[\.\.\.unknown\])\//, script: 270 },
  // The gallery has every component; production builds omit these pages.
  { name: "demo", folder: /^\/dev\//, script: 320 },
  { name: "plain", folder: /^\//, script: 150 },
];

/** kB after gzip, for every page. */
const STYLE_BUDGET_KB = 25;

/** kB of fonts per writing system. */
const FONT_BUDGETS = [
  { name: "Latin", letters: "aİığşçöüßéè–“", font: 110 },
  { name: "Cyrillic", letters: "aжё№–", font: 110 },
  { name: "Arabic", letters: "aعةپ،–", font: 170 },
];

/** Measures the build: one row per page and per writing system of the fonts, `weight` and `budget` in kB. */
export function measureBuild(build = join(root, ".next")) {
  const read = (file) => readFileSync(join(build, file));
  const sizes = new Map();
  const getSize = (file) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(read(file)).length / 1000);
    return sizes.get(file);
  };
  const sum = (files, ending) =>
    [...new Set(files)].filter((file) => file.endsWith(ending)).reduce((kB, file) => kB + getSize(file), 0);

  const sharedFiles = JSON.parse(read("build-manifest.json")).rootMainFiles;
  const styles = new Set();
  const rows = [];
  for (const [page, route] of Object.entries(JSON.parse(read("app-path-routes-manifest.json")))) {
    const manifest = `server/app${page}_client-reference-manifest.js`;
    if (!page.endsWith("/page") || !existsSync(join(build, manifest))) continue;
    const { clientModules, entryCSSFiles = {} } = parseManifest(read(manifest).toString());
    const chunkFiles = Object.values(clientModules).flatMap(({ chunks }) => chunks);
    const styleFiles = Object.values(entryCSSFiles).flatMap((files) => files.map(({ path }) => path));
    const scripts = [...sharedFiles, ...chunkFiles.map((chunk) => chunk.replace(/^\/_next\//, ""))];
    for (const file of styleFiles) styles.add(file);
    const { name, script } = PAGE_GROUPS.find(({ folder }) => folder.test(page));
    rows.push({ kind: "script", group: name, name: route, weight: sum(scripts, ".js"), budget: script });
    rows.push({
      kind: "style",
      group: name,
      name: route,
      weight: sum(styleFiles, ".css"),
      budget: STYLE_BUDGET_KB,
    });
  }
  const faces = [...styles].flatMap((file) => parseFontFaces(read(file).toString(), dirname(file)));
  for (const { name, letters, font } of FONT_BUDGETS) {
    const fontFiles = new Set(
      faces.filter(({ coversLetter }) => [...letters].some(coversLetter)).map(({ file }) => file),
    );
    const weight = [...fontFiles].reduce((kB, file) => kB + read(file).length / 1000, 0);
    rows.push({ kind: "fonts", group: "fonts", name, weight, budget: font });
  }
  return rows;
}

/** Reads a page's client manifest: a script that assigns one JSON. */
function parseManifest(script) {
  const start = script.indexOf("] = ");
  return JSON.parse(script.slice(start + 4).replace(/;\s*$/, ""));
}

function parseFontFaces(css, folder) {
  return [...css.matchAll(/@font-face\s*\{([^}]*)\}/g)].flatMap(([, face]) => {
    const url = /url\(["']?([^"')]+)/.exec(face)?.[1];
    // A fallback face of the system.
    if (!url) return [];
    const ranges = (/unicode-range:([^;]*)/.exec(face)?.[1] ?? "U+0-10FFFF").split(",").map((range) => {
      const [from, to = from] = range.trim().slice(2).split("-");
      return [Number.parseInt(from.replaceAll("?", "0"), 16), Number.parseInt(to.replaceAll("?", "F"), 16)];
    });
    return {
      file: join(folder, url),
      coversLetter: (letter) =>
        ranges.some(([from, to]) => from <= letter.codePointAt(0) && letter.codePointAt(0) <= to),
    };
  });
}

export const findOverBudget = (rows) => rows.filter(({ weight, budget }) => weight > budget);

export function formatTable(rows) {
  const formatRow = ({ kind, group, name, weight, budget }) =>
    `  ${weight > budget ? "OVER" : "    "} ${kind.padEnd(7)}${group.padEnd(11)}${name.padEnd(26)}` +
    `${weight.toFixed(1).padStart(7)} of ${String(budget).padStart(3)} kB`;
  return `${rows.map(formatRow).join("\n")}\n`;
}

export function formatSummary(rows) {
  const [nearest] = rows.toSorted((a, b) => b.weight / b.budget - a.weight / a.budget);
  const pages = rows.filter(({ kind }) => kind === "script").length;
  return `${pages} pages within their budgets; nearest: ${nearest.name} ${nearest.weight.toFixed(0)} of ${nearest.budget} kB`;
}
