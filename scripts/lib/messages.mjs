import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./steps.mjs";

const folder = join(root, "messages");
const joined = join(folder, "generated");

/** Returns the dictionary of a language: the content of its files, under their names. */
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

/** Folders of `messages/`, each a language. */
function locales() {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && entry.name !== "generated").map(({ name }) => name);
}

/** Writes each language as the one file that the server imports, and compiled for pages. */
export async function joinMessages() {
  // Loaded late: scripts that import this file also install the packages.
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

/** Writes a generated file; returns whether it was another before. */
function write(name, content) {
  const file = join(joined, name);
  const text = JSON.stringify(content);
  // A watcher of the file restarts whenever it is written.
  if (existsSync(file) && readFileSync(file, "utf8") === text) return false;
  // Written whole or not at all: another command may be reading it.
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
  return true;
}

/**
 * Joins the dictionaries again when a file changes. A file with invalid JSON is reported, and waits for its next
 * change.
 */
export function watchMessages() {
  let waiting;
  const again = () => joinMessages().catch((error) => process.stderr.write(`${error.message}\n`));
  for (const locale of locales()) {
    // One save causes several events, and seven languages are usually saved together.
    watch(join(folder, locale), () => {
      clearTimeout(waiting);
      waiting = setTimeout(again, 200);
    });
  }
}
