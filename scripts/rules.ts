import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { bareTexts } from "./lib/bare-text";
import { filesBelow } from "./lib/files.mjs";
import { allImports, files, importChain, type Source, sources, staticImports } from "./lib/imports";
import { proseOf, unclearPhrase } from "./lib/prose";

/*
 * npm run rules   checks the rules of ARCHITECTURE.md that need several files; prints violations and exits 1
 */

// Rules about a single file are in rules.grit, which Biome checks.
const problems: string[] = [];
const isClient = ({ text }: Source) => /^"use client"/.test(text);
/** Rule 1: forbidden import chains. */
const CHAINS: Array<
  [from: (source: Source) => boolean, to: RegExp, importsOf: typeof allImports, problem: string]
> = [
  [isClient, /^server\/infrastructure\/|^node:/, allImports, "the browser would load"],
  [
    (source) => isClient(source) && !/^app\/dev/.test(source.file),
    /^npm:zod$/,
    staticImports,
    "a page starts with",
  ],
  [
    ({ file }) => /^scripts\/[\w-]+\.mjs$/.test(file),
    /^npm:/,
    staticImports,
    "before install() has run, this loads",
  ],
];
for (const [path, source] of sources)
  for (const [from, to, importsOf, problem] of CHAINS) {
    const chain = from(source) && importChain(path, (target) => to.test(target), importsOf);
    if (chain) problems.push(`${problem} ${chain.join(" -> ")}`);
  }

/** Rule 1: areas of domains and components. Each may import only from the ones after it. */
const AREAS = ["settings", "tenancy", "access", "billing", "sites", "platform", "accounts"];
/** Component folders below all areas, and above them. */
const SHARED = ["ui", "form", "api"];
const FRAMES = ["shell", "navigation", "dashboard", "docs"];
const areaOf = (path: string) => {
  const [, home, folder = ""] = /^(server\/domains|components)\/([\w-]+)\//.exec(path) ?? [];
  return home === "components" && SHARED.includes(folder) ? AREAS.length : AREAS.indexOf(folder);
};
/** Names in the tRPC client: `signIn` is `server/domains/access/sign-in/domain`. */
const manifests = readFileSync("server/domains.ts", "utf8").matchAll(/\{ (\w+) \} from "\.(\/.+)"/g);
const clientNames = new Map([...manifests].map(([, name, at]) => [name, `server${at}`]));
const callsOf = ({ file, text }: Source) =>
  file.startsWith("components/")
    ? [...text.matchAll(/\b(?:api|call|utils)\.(\w+)\./g)].map(([, name]) => clientNames.get(name) ?? "")
    : [];
const domainOf = (path: string) => /^server\/domains\/([\w-]+\/[\w-]+)\//.exec(path)?.[1] ?? "";
const needs = new Map<string, Set<string>>();
for (const [path, source] of sources) {
  for (const target of [...source.imports, ...callsOf(source)])
    if (areaOf(path) >= 0 && areaOf(target) >= 0 && areaOf(target) < areaOf(path))
      problems.push(`${source.file}: imports ${target} from an area above`);
  // Contracts may refer to each other: they contain no behaviour.
  const others = source.imports.filter((target) => !target.endsWith("/contract")).map(domainOf);
  const from = domainOf(path);
  if (from)
    needs.set(from, new Set([...(needs.get(from) ?? []), ...others.filter((to) => to && to !== from)]));
}
for (const domain of needs.keys()) {
  const others = (from: string) => needs.get(from) ?? [];
  const circle = importChain(domain, (target) => target === domain, others);
  if (circle) problems.push(`domains import each other: ${circle.join(" -> ")}`);
}

/** Rule 2: only an area writes the tables of its file in prisma/schema, except for account deletion. */
const areaOfTable = new Map<string, string>();
for (const file of readdirSync("prisma/schema")) {
  const models = readFileSync(`prisma/schema/${file}`, "utf8").matchAll(
    /^model (\w)(\w+) \{.*?@@map\("(\w+)"\)/gms,
  );
  const area = posix.basename(file, ".prisma");
  for (const [, initial, rest, table] of models)
    areaOfTable.set(initial!.toLowerCase() + rest, area).set(table!, area);
}
const WRITES =
  /\.(\w+)\s*\.(?:create|update|delete|upsert)(?:Many)?(?:AndReturn)?\(|\b(?:insert into|delete from)\s+(\w+)|(?<!for )\bupdate\s+(\w+)\s+(?:\w+\s+)?set\b/g;
for (const { file, text } of sources.values()) {
  const [area] = domainOf(file).split("/");
  if (!area || /\/(settings\/account-deletion\/|accounts\/users\/service\/personal-data)/.test(file))
    continue;
  for (const [, ...names] of text.matchAll(WRITES)) {
    const name = names.find(Boolean)!;
    if (areaOfTable.has(name) && areaOfTable.get(name) !== area)
      problems.push(`${file}: writes ${name}, a table of the area ${areaOfTable.get(name)}`);
  }
}

/** A page whose components may ask for a proof of identity needs the messages of that dialog. */
for (const [path, { file }] of sources) {
  if (!/^app\/\(panel\)\/.*\.tsx$/.test(file)) continue;
  const chain = importChain(path, (target) => target === "components/accounts/users/use-proven", allImports);
  const folders = path.split("/").map((_, depth, parts) => parts.slice(0, depth).join("/"));
  const providers = [...(chain ?? []), ...folders.map((folder) => `${folder}/layout`)];
  const sends = (name: string) => providers.some((at) => sources.get(at)?.text.includes(`"${name}"`));
  if (chain && !(sends("identity") && sends("auth")))
    problems.push(`${file}: needs the messages "identity" and "auth" for ${chain.at(-2)}`);
}

/** Rule 3: names of files and folders. */
const folders = [...SHARED, ...FRAMES];
const DOMAIN_FILE =
  /contract|policy|domain|errors|export|dto|jobs|service|statements|[\w-]+\.provider|[\w.-]+\.test|service\/[\w-]+(\.test)?/;
const NAMES: Array<[RegExp, string]> = [
  [/^app\/dev\/.*\/(page|layout|route)\.tsx?$/, "pages below /dev are for demo mode: name it *.demo.tsx"],
  [
    RegExp(`^server/domains/(?!(${AREAS.join("|")})/[\\w-]+/(${DOMAIN_FILE.source})\\.ts$)`),
    `not a file name of a domain in one of the areas ${AREAS}`,
  ],
  [
    RegExp(`^components/(?!(${[...folders, ...needs.keys()].join("|")})/)`),
    `components are in ${folders}, or named after a domain`,
  ],
];
for (const file of files)
  for (const [pattern, problem] of NAMES) if (pattern.test(file)) problems.push(`${file}: ${problem}`);

/** Rule 5: a text next to other elements has an element of its own. */
for (const { file, text } of sources.values())
  if (/^(app|components)\/.*\.tsx$/.test(file))
    for (const line of bareTexts(file, text)) problems.push(`${file}:${line}: a text without an element`);

/** Rule 7: plain English in comments, test titles, API texts and documents. */
for (const file of filesBelow().filter(
  (path) => /\.(tsx?|mjs|md|prisma|ya?ml)$/.test(path) && !path.startsWith("prisma/migrations/"),
))
  for (const prose of proseOf(file, readFileSync(file, "utf8"))) {
    const phrase = unclearPhrase(prose);
    if (phrase) problems.push(`${file}:${prose.line}: say plainly: "${phrase}"`);
  }

for (const problem of problems) process.stderr.write(`  ${problem}\n`);
process.stdout.write(`  ${files.length} files, ${problems.length} rules broken\n`);
process.exitCode = Math.min(problems.length, 1);
