import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { bareTexts } from "./lib/bare-text";
import { filesBelow } from "./lib/files.mjs";
import { ever, files, first, type Source, sources, wayTo } from "./lib/imports";
import { proseOf, unclearPhrase } from "./lib/prose";

/*
 * npm run rules   checks the rules of ARCHITECTURE.md that no type checker knows; prints each violation, and exits 1 if there is one
 */

// Biome checks the rules about the code in one file, by rules.grit.
const problems: string[] = [];
const isClient = ({ text }: Source) => /^"use client"/.test(text);
/** Rule 1: chains of imports that must not exist. A rule about direct imports is a line of rules.grit. */
const CHAINS: Array<[from: (source: Source) => boolean, to: RegExp, next: typeof ever, problem: string]> = [
  [isClient, /^server\/infrastructure\/|^node:/, ever, "the browser would load"],
  [(source) => isClient(source) && !/^app\/dev/.test(source.file), /^npm:zod$/, first, "a page starts with"],
  [({ file }) => /^scripts\/[\w-]+\.mjs$/.test(file), /^npm:/, first, "before install() has run, this loads"],
];
for (const [path, source] of sources)
  for (const [from, to, next, problem] of CHAINS) {
    const way = from(source) && wayTo(path, (target) => to.test(target), next);
    if (way) problems.push(`${problem} ${way.join(" -> ")}`);
  }

/** Rule 1: wings of domains and of their components. Each may import from those after it only. */
const WINGS = ["settings", "tenancy", "access", "billing", "sites", "platform", "accounts"];
/** Components below every wing, and the frame and pages that may use every wing. */
const SHARED = ["ui", "form", "api"];
const FRAMES = ["shell", "navigation", "dashboard", "docs"];
const wingOf = (path: string) => {
  const [, home, folder = ""] = /^(server\/domains|components)\/([\w-]+)\//.exec(path) ?? [];
  return home === "components" && SHARED.includes(folder) ? WINGS.length : WINGS.indexOf(folder);
};
/** The client's names: `signIn` is `server/domains/access/sign-in/domain`. */
const listed = readFileSync("server/domains.ts", "utf8").matchAll(/\{ (\w+) \} from "\.(\/.+)"/g);
const clientNames = new Map([...listed].map(([, name, at]) => [name, `server${at}`]));
const callsOf = ({ file, text }: Source) =>
  file.startsWith("components/")
    ? [...text.matchAll(/\b(?:api|call|utils)\.(\w+)\./g)].map(([, name]) => clientNames.get(name) ?? "")
    : [];
const domainOf = (path: string) => /^server\/domains\/([\w-]+\/[\w-]+)\//.exec(path)?.[1] ?? "";
const needs = new Map<string, Set<string>>();
for (const [path, source] of sources) {
  for (const target of [...source.imports, ...callsOf(source)])
    if (wingOf(path) >= 0 && wingOf(target) >= 0 && wingOf(target) < wingOf(path))
      problems.push(`${source.file}: needs ${target}, a wing above`);
  // Contracts only describe: a circle of services ties two domains together.
  const others = source.imports.filter((target) => !target.endsWith("/contract")).map(domainOf);
  const from = domainOf(path);
  if (from)
    needs.set(from, new Set([...(needs.get(from) ?? []), ...others.filter((to) => to && to !== from)]));
}
for (const domain of needs.keys()) {
  const others = (from: string) => needs.get(from) ?? [];
  const circle = wayTo(domain, (target) => target === domain, others);
  if (circle) problems.push(`domains need each other: ${circle.join(" -> ")}`);
}

/** Rule 1: only a wing writes the tables of its file in prisma/schema, except for the end of an account. */
const wings = new Map<string, string>();
for (const file of readdirSync("prisma/schema")) {
  const models = readFileSync(`prisma/schema/${file}`, "utf8").matchAll(
    /^model (\w)(\w+) \{.*?@@map\("(\w+)"\)/gms,
  );
  const wing = posix.basename(file, ".prisma");
  for (const [, initial, rest, table] of models)
    wings.set(initial!.toLowerCase() + rest, wing).set(table!, wing);
}
const WRITES =
  /\.(\w+)\s*\.(?:create|update|delete|upsert)(?:Many)?(?:AndReturn)?\(|\b(?:insert into|delete from)\s+(\w+)|(?<!for )\bupdate\s+(\w+)\s+(?:\w+\s+)?set\b/g;
for (const { file, text } of sources.values()) {
  const [wing] = domainOf(file).split("/");
  if (!wing || /\/(settings\/account-deletion\/|accounts\/users\/service\/personal-data)/.test(file))
    continue;
  for (const [, ...names] of text.matchAll(WRITES)) {
    const name = names.find(Boolean)!;
    if (wings.has(name) && wings.get(name) !== wing)
      problems.push(`${file}: writes ${name}, which is the ${wings.get(name)} wing's`);
  }
}

/** A page whose components may ask for a proof of identity sends the messages of that dialog. */
for (const [path, { file }] of sources) {
  if (!/^app\/\(panel\)\/.*\.tsx$/.test(file)) continue;
  const way = wayTo(path, (target) => target === "components/accounts/users/use-proven", ever);
  const folders = path.split("/").map((_, depth, parts) => parts.slice(0, depth).join("/"));
  const around = [...(way ?? []), ...folders.map((folder) => `${folder}/layout`)];
  const sends = (name: string) => around.some((at) => sources.get(at)?.text.includes(`"${name}"`));
  if (way && !(sends("identity") && sends("auth")))
    problems.push(`${file}: needs the messages "identity" and "auth" for ${way.at(-2)}`);
}

/** Rule 3: names of files and folders. */
const folders = [...SHARED, ...FRAMES];
const DOMAIN_FILE =
  /contract|policy|domain|errors|export|dto|jobs|service|statements|[\w-]+\.provider|[\w.-]+\.test|service\/[\w-]+(\.test)?/;
const NAMES: Array<[RegExp, string]> = [
  [/^app\/dev\/.*\/(page|layout|route)\.tsx?$/, "pages below /dev are the demo's: name it *.demo.tsx"],
  [
    RegExp(`^server/domains/(?!(${WINGS.join("|")})/[\\w-]+/(${DOMAIN_FILE.source})\\.ts$)`),
    `not a file name of a domain in one of the wings ${WINGS}`,
  ],
  [
    RegExp(`^components/(?!(${[...folders, ...needs.keys()].join("|")})/)`),
    `components are in ${folders}, or named after a domain`,
  ],
];
for (const file of files)
  for (const [pattern, problem] of NAMES) if (pattern.test(file)) problems.push(`${file}: ${problem}`);

/** Rule 5: texts beside other children have elements, for pages that a browser translates. */
for (const { file, text } of sources.values())
  if (/^(app|components)\/.*\.tsx$/.test(file))
    for (const line of bareTexts(file, text)) problems.push(`${file}:${line}: a text without an element`);

/** Rule 7: plain English in comments, test titles, API texts and documents. */
for (const file of filesBelow().filter((path) => /\.(tsx?|mjs|md|prisma|ya?ml)$/.test(path)))
  for (const prose of proseOf(file, readFileSync(file, "utf8"))) {
    const phrase = unclearPhrase(prose);
    if (phrase) problems.push(`${file}:${prose.line}: say plainly: "${phrase}"`);
  }

for (const problem of problems) process.stderr.write(`  ${problem}\n`);
process.stdout.write(`  ${files.length} files, ${problems.length} rules broken\n`);
process.exitCode = Math.min(problems.length, 1);
