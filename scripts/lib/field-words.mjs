import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { root } from "./steps.mjs";

/*
 * The API's description takes the words of a field from its docstring in the contract, so that nothing is said twice.
 * Biome formats contracts alike, so they can be read by line.
 */

const SOURCE = /^(core\/(errors|list|schema|contract)|domains\/[\w-]+\/[\w-]+\/(contract|errors))\.ts$/;
const TARGET = join(root, "server/transports/rest/generated/words.json");

/** Writes the words of all fields: by `<operation>.<part>` or the id of a schema, whose own words are under "". */
export function joinFieldWords() {
  const text = JSON.stringify(fieldWords());
  if (existsSync(TARGET) && readFileSync(TARGET, "utf8") === text) return;
  mkdirSync(dirname(TARGET), { recursive: true });
  // Written whole or not at all: another command may be reading it.
  writeFileSync(`${TARGET}.${process.pid}`, text);
  renameSync(`${TARGET}.${process.pid}`, TARGET);
}

function fieldWords() {
  const paths = readdirSync(join(root, "server"), { recursive: true }).map((path) =>
    path.replaceAll("\\", "/"),
  );
  const files = new Map(
    paths
      .filter((path) => SOURCE.test(path))
      .sort()
      .map((path) => [path, parse(path)]),
  );
  const words = {};
  for (const [file, { consts }] of files)
    for (const [name, { doc, lines }] of consts) {
      const operation = /^ {2}id: "(\w+)",$/m.exec(lines.join("\n"))?.[1];
      for (const [part, text] of operation ? parts(lines) : [["", lines]]) {
        const found = wordsOf(files, file, text, new Set([`${file} ${name}`]));
        if (operation) words[`${operation}.${part}`] = found;
        for (const [, id] of text.join("\n").matchAll(/\bmeta\(\{ id: "(\w+)"/g))
          words[id] = operation || !doc ? found : { "": doc, ...found };
      }
    }
  return Object.fromEntries(Object.entries(words).filter(([, found]) => Object.keys(found).length > 0));
}

/** The constants of a file with their docstrings, and where each imported name is from. */
function parse(path) {
  const text = readFileSync(join(root, "server", path), "utf8");
  const imports = new Map();
  for (const [, names, from] of text.matchAll(/^import \{([^}]*)\} from "([^"]+)"/gm)) {
    const file = from.startsWith(".") ? posix.join(posix.dirname(path), from) : from.replace("@/server/", "");
    for (const name of names.match(/\w+/g) ?? []) imports.set(name, `${file}.ts`);
  }
  const consts = new Map();
  let doc = "";
  let current;
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    if (lines[at].startsWith("/**")) {
      [doc, at] = docstring(lines, at);
      current = undefined;
      continue;
    }
    const name = /^(?:export )?const (\w+)/.exec(lines[at])?.[1];
    if (name) {
      current = { doc, lines: [] };
      consts.set(name, current);
    } else if (/^\S/.test(lines[at]) && !/^[)}\]]/.test(lines[at])) current = undefined;
    current?.lines.push(lines[at]);
    doc = "";
  }
  return { consts, imports };
}

/** The words of the docstring that begins at a line, and its last line. */
function docstring(lines, at) {
  let last = at;
  while (!lines[last].includes("*/")) last++;
  const text = lines
    .slice(at, last + 1)
    .map((line) => line.replace(/^\s*\/?\*+\/?\s?/, "").replace(/\s*\*\/$/, ""))
    .join(" ");
  return [plain(text), last];
}

/** Without what only readers of the sources can follow. */
function plain(text) {
  return text
    .replace(/\s*\((?:see )?docs\/[^)]*\)/g, "")
    .replace(/\{@link (\w+)\}/g, "$1")
    .replace(/,? see (docs\/|`core\/)[^.;]*/g, "")
    .replace(/docs\/contract\.md( [\d.]+)?\.?/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** The parts of an operation, by the names that `operation()` gives them. */
function parts(lines) {
  const found = [];
  for (const line of lines.slice(1)) {
    const name = /^ {2}(\w+)\b/.exec(line)?.[1];
    if (name) found.push([name, []]);
    found.at(-1)?.[1].push(line);
  }
  return found.filter(([name]) => ["params", "query", "body", "output"].includes(name));
}

/** Words of the fields of these lines, and of the constants that they are made of; fields told twice have none. */
function wordsOf(files, file, lines, seen) {
  const own = {};
  const note = (field, doc) => {
    own[field] = field in own && own[field] !== doc ? "" : doc;
  };
  for (let at = 0; at < lines.length; at++) {
    if (!/^\s+\/\*\*/.test(lines[at])) continue;
    const [doc, last] = docstring(lines, at);
    const field = /^\s+(\w+)(:|,$)/.exec(lines[last + 1] ?? "")?.[1];
    if (field && doc) note(field, doc);
    at = last;
  }
  const { consts, imports } = files.get(file);
  const code = lines.filter((line) => !/^\s*(\/\*\*|\*|\/\/)/.test(line)).join("\n");
  for (const [name] of code.matchAll(/\b[A-Z][a-z]\w*\b|\b[a-z]+[A-Z]\w*\b/g)) {
    const home = consts.has(name) ? file : imports.get(name);
    const part = files.get(home)?.consts.get(name);
    if (!part || seen.has(`${home} ${name}`)) continue;
    // What has an id is described where it stands, unless fields are taken from it.
    if (/\bmeta\(\{ id: /.test(part.lines.join("\n")) && !new RegExp(`\\b${name}\\.`).test(code)) continue;
    const inner = wordsOf(files, home, part.lines, new Set([...seen, `${home} ${name}`]));
    for (const [field, doc] of Object.entries(inner)) if (!(field in own)) own[field] = doc;
  }
  return Object.fromEntries(Object.entries(own).filter(([, doc]) => doc));
}
