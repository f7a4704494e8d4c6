import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./steps.mjs";

/*
 * Size budgets of the first load of each page. The build fails above them; `npm run budgets` prints all.
 * Sizes come from the output of `next build`, so a new page has the budget of its group.
 */

/** JavaScript in kB after gzip. The first group whose folder matches applies. */
const GROUPS = [
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
const STYLE = 25;

/** kB of fonts per script. */
const FONTS = [
  { name: "Latin", letters: "aİığşçöüßéè–“", font: 110 },
  { name: "Cyrillic", letters: "aжё№–", font: 110 },
  { name: "Arabic", letters: "aعةپ،–", font: 170 },
];

/** Measures the build: one row per page and per script of the fonts, `weight` and `budget` in kB. */
export function weigh(build = join(root, ".next")) {
  const read = (file) => readFileSync(join(build, file));
  const sizes = new Map();
  const sizeOf = (file) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(read(file)).length / 1000);
    return sizes.get(file);
  };
  const sum = (files, ending) =>
    [...new Set(files)].filter((file) => file.endsWith(ending)).reduce((kB, file) => kB + sizeOf(file), 0);

  const always = JSON.parse(read("build-manifest.json")).rootMainFiles;
  const styles = new Set();
  const rows = [];
  for (const [page, route] of Object.entries(JSON.parse(read("app-path-routes-manifest.json")))) {
    const manifest = `server/app${page}_client-reference-manifest.js`;
    if (!page.endsWith("/page") || !existsSync(join(build, manifest))) continue;
    const { clientModules, entryCSSFiles = {} } = referencesOf(read(manifest).toString());
    const loaded = Object.values(clientModules).flatMap(({ chunks }) => chunks);
    const linked = Object.values(entryCSSFiles).flatMap((files) => files.map(({ path }) => path));
    const scripts = [...always, ...loaded.map((chunk) => chunk.replace(/^\/_next\//, ""))];
    for (const file of linked) styles.add(file);
    const { name, script } = GROUPS.find(({ folder }) => folder.test(page));
    rows.push({ what: "script", group: name, name: route, weight: sum(scripts, ".js"), budget: script });
    rows.push({ what: "style", group: name, name: route, weight: sum(linked, ".css"), budget: STYLE });
  }
  const faces = [...styles].flatMap((file) => facesOf(read(file).toString(), dirname(file)));
  for (const { name, letters, font } of FONTS) {
    const needed = new Set(faces.filter(({ has }) => [...letters].some(has)).map(({ file }) => file));
    const weight = [...needed].reduce((kB, file) => kB + read(file).length / 1000, 0);
    rows.push({ what: "fonts", group: "fonts", name, weight, budget: font });
  }
  return rows;
}

/** Reads a page's client manifest: a script that assigns one JSON. */
function referencesOf(script) {
  const at = script.indexOf("] = ");
  return JSON.parse(script.slice(at + 4).replace(/;\s*$/, ""));
}

/** Returns the fonts of a style sheet: file, and a test whether a letter needs it. */
function facesOf(css, folder) {
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
      has: (letter) =>
        ranges.some(([from, to]) => from <= letter.codePointAt(0) && letter.codePointAt(0) <= to),
    };
  });
}

export const tooHeavy = (rows) => rows.filter(({ weight, budget }) => weight > budget);

export function table(rows) {
  const line = ({ what, group, name, weight, budget }) =>
    `  ${weight > budget ? "OVER" : "    "} ${what.padEnd(7)}${group.padEnd(11)}${name.padEnd(26)}` +
    `${weight.toFixed(1).padStart(7)} of ${String(budget).padStart(3)} kB`;
  return `${rows.map(line).join("\n")}\n`;
}

/** Returns the number of pages, and the page nearest to its budget. */
export function summary(rows) {
  const [first] = rows.toSorted((a, b) => b.weight / b.budget - a.weight / a.budget);
  const pages = rows.filter(({ what }) => what === "script").length;
  return `${pages} pages within their budgets; nearest: ${first.name} ${first.weight.toFixed(0)} of ${first.budget} kB`;
}
