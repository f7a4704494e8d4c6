import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./steps.mjs";

const folder = join(root, "messages");
const joined = join(folder, "generated");

/** Returns the files of a language as one dictionary, by file name. */
function dictionaryOf(locale) {
  const names = readdirSync(join(folder, locale)).flatMap((file) => /^([^.]+)\.json$/.exec(file)?.[1] ?? []);
  return Object.fromEntries(names.sort().map((name) => [name, textsOf(`${locale}/${name}.json`)]));
}

function textsOf(file) {
  const source = readFileSync(join(folder, file), "utf8");
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new Error(`messages/${file}: ${error.message}`);
  }
}

function locales() {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && entry.name !== "generated").map(({ name }) => name);
}

/** Writes each language as one file for the server, and compiled for pages. */
export async function joinMessages() {
  // A dynamic import: scripts that import this file install the package.
  const { default: compile } = await import("icu-minify/compile");
  mkdirSync(joined, { recursive: true });
  for (const locale of locales()) {
    const dictionary = dictionaryOf(locale);
    if (write(`${locale}.json`, dictionary) || !existsSync(join(joined, `${locale}.compiled.json`)))
      write(`${locale}.compiled.json`, compiled(dictionary, compile));
  }
}

/** Parses the ICU messages of a dictionary, so that browsers need no parser. */
function compiled(dictionary, compile) {
  const entries = Object.entries(dictionary).map(([key, text]) => [
    key,
    typeof text === "string" ? compile(text) : compiled(text, compile),
  ]);
  return Object.fromEntries(entries);
}

/** Writes a generated file if it has changed; returns true if so. */
function write(name, content) {
  const file = join(joined, name);
  const text = JSON.stringify(content);
  // A write restarts watchers, even of the same content.
  if (existsSync(file) && readFileSync(file, "utf8") === text) return false;
  // Rename, because another command may be reading the file.
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
  return true;
}

/** Joins the dictionaries again when a file changes. Reports invalid JSON. */
export function watchMessages() {
  let timer;
  const again = () => joinMessages().catch((error) => process.stderr.write(`${error.message}\n`));
  for (const locale of locales()) {
    // Debounce: one save causes several events.
    watch(join(folder, locale), () => {
      clearTimeout(timer);
      timer = setTimeout(again, 200);
    });
  }
}
