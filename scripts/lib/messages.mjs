import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./steps.mjs";

const messagesFolder = join(root, "messages");
const generatedFolder = join(messagesFolder, "generated");

function readDictionary(locale) {
  const names = readdirSync(join(messagesFolder, locale)).flatMap(
    (file) => /^([^.]+)\.json$/.exec(file)?.[1] ?? [],
  );
  return Object.fromEntries(names.sort().map((name) => [name, readTexts(`${locale}/${name}.json`)]));
}

function readTexts(file) {
  const source = readFileSync(join(messagesFolder, file), "utf8");
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new Error(`messages/${file}: ${error.message}`);
  }
}

function listLocales() {
  const entries = readdirSync(messagesFolder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && entry.name !== "generated").map(({ name }) => name);
}

export async function joinMessages() {
  // A dynamic import: scripts that import this file install the package.
  const { default: compile } = await import("icu-minify/compile");
  mkdirSync(generatedFolder, { recursive: true });
  for (const locale of listLocales()) {
    const dictionary = readDictionary(locale);
    if (
      writeIfChanged(`${locale}.json`, dictionary) ||
      !existsSync(join(generatedFolder, `${locale}.compiled.json`))
    )
      writeIfChanged(`${locale}.compiled.json`, compileDictionary(dictionary, compile));
  }
}

/** Parses the ICU messages of a dictionary, so that browsers need no parser. */
function compileDictionary(dictionary, compile) {
  const entries = Object.entries(dictionary).map(([key, text]) => [
    key,
    typeof text === "string" ? compile(text) : compileDictionary(text, compile),
  ]);
  return Object.fromEntries(entries);
}

function writeIfChanged(name, content) {
  const file = join(generatedFolder, name);
  const text = JSON.stringify(content);
  // A write restarts watchers, even of the same content.
  if (existsSync(file) && readFileSync(file, "utf8") === text) return false;
  // Rename, because another command may be reading the file.
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
  return true;
}

export function watchMessages() {
  let timer;
  const rejoin = () => joinMessages().catch((error) => process.stderr.write(`${error.message}\n`));
  for (const locale of listLocales()) {
    // Debounce: one save causes several events.
    watch(join(messagesFolder, locale), () => {
      clearTimeout(timer);
      timer = setTimeout(rejoin, 200);
    });
  }
}
