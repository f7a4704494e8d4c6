import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { LOCALES, type Locale } from "../server/core/locale";
import { findBareTexts } from "./lib/bare-text";
import { listFiles } from "./lib/files.mjs";
import {
  codeFiles,
  findImportChain,
  listAllImports,
  listStaticImports,
  productSources,
  type SourceFile,
} from "./lib/imports";
import { extractProse, findUnclearPhrase } from "./lib/prose";
import { findMismatchedArguments } from "./lib/rich-text";
import { createTermCheck, type Termbase } from "./lib/terms";

/*
 * npm run rules   checks the rules of ARCHITECTURE.md that need several files; prints violations and exits 1
 */

// Rules about a single file are in rules.grit, which Biome checks.
const problems: string[] = [];
const isClientModule = ({ text }: SourceFile) => /^"use client"/.test(text);
/** Rule 1: forbidden import chains. */
const FORBIDDEN_CHAINS: Array<
  [from: (source: SourceFile) => boolean, to: RegExp, importsOf: typeof listAllImports, problem: string]
> = [
  [isClientModule, /^server\/infrastructure\/|^node:/, listAllImports, "the browser would load"],
  [
    (source) => isClientModule(source) && !/^app\/dev/.test(source.file),
    /^npm:zod$/,
    listStaticImports,
    "a page starts with",
  ],
  [
    ({ file }) => /^scripts\/[\w-]+\.mjs$/.test(file),
    /^npm:/,
    listStaticImports,
    "before install() has run, this loads",
  ],
];
for (const [path, source] of productSources)
  for (const [from, to, getImports, problem] of FORBIDDEN_CHAINS) {
    const chain = from(source) && findImportChain(path, (target) => to.test(target), getImports);
    if (chain) problems.push(`${problem} ${chain.join(" -> ")}`);
  }

/** Rule 1: areas of domains and components. Each may import only from later ones. */
const AREAS = ["settings", "tenancy", "access", "billing", "sites", "platform", "accounts"];
const SHARED_FOLDERS = ["ui", "form", "charts", "api"];
const FRAME_FOLDERS = ["shell", "navigation", "dashboard", "docs"];
const getArea = (path: string) => {
  const [, topFolder, folder = ""] = /^(server\/domains|components)\/([\w-]+)\//.exec(path) ?? [];
  return topFolder === "components" && SHARED_FOLDERS.includes(folder) ? AREAS.length : AREAS.indexOf(folder);
};
/** Maps names of the tRPC client to manifests: `signIn` to `server/domains/access/sign-in/domain`. */
const manifestImports = readFileSync("server/domains.ts", "utf8").matchAll(/\{ (\w+) \} from "\.(\/.+)"/g);
const manifestByClientName = new Map(
  [...manifestImports].map(([, name, manifestPath]) => [name, `server${manifestPath}`]),
);
const listClientCalls = ({ file, text }: SourceFile) =>
  file.startsWith("components/")
    ? [...text.matchAll(/\b(?:api|call|utils)\.(\w+)\./g)].map(
        ([, name]) => manifestByClientName.get(name) ?? "",
      )
    : [];
const getDomain = (path: string) => /^server\/domains\/([\w-]+\/[\w-]+)\//.exec(path)?.[1] ?? "";
const domainImports = new Map<string, Set<string>>();
for (const [path, source] of productSources) {
  for (const target of [...source.imports, ...listClientCalls(source)])
    if (getArea(path) >= 0 && getArea(target) >= 0 && getArea(target) < getArea(path))
      problems.push(`${source.file}: imports ${target} from an area above`);
  // Contracts may refer to each other: they contain no behaviour.
  const importedDomains = source.imports.filter((target) => !target.endsWith("/contract")).map(getDomain);
  const importingDomain = getDomain(path);
  if (importingDomain)
    domainImports.set(
      importingDomain,
      new Set([
        ...(domainImports.get(importingDomain) ?? []),
        ...importedDomains.filter((to) => to && to !== importingDomain),
      ]),
    );
}
for (const domain of domainImports.keys()) {
  const getImportedDomains = (from: string) => domainImports.get(from) ?? [];
  const cycle = findImportChain(domain, (target) => target === domain, getImportedDomains);
  if (cycle) problems.push(`domains import each other: ${cycle.join(" -> ")}`);
}

/** Rule 2: only an area writes the tables of its file in prisma/schema, except for account deletion. */
const areaByTableOrModel = new Map<string, string>();
for (const file of readdirSync("prisma/schema")) {
  const models = readFileSync(`prisma/schema/${file}`, "utf8").matchAll(
    /^model (\w)(\w+) \{.*?@@map\("(\w+)"\)/gms,
  );
  const area = posix.basename(file, ".prisma");
  for (const [, initial, nameTail, table] of models)
    areaByTableOrModel.set(initial!.toLowerCase() + nameTail, area).set(table!, area);
}
const WRITE_PATTERN =
  /\.(\w+)\s*\.(?:create|update|delete|upsert)(?:Many)?(?:AndReturn)?\(|\b(?:insert into|delete from)\s+(\w+)|(?<!for )\bupdate\s+(\w+)\s+(?:\w+\s+)?set\b/g;
for (const { file, text } of productSources.values()) {
  const [area] = getDomain(file).split("/");
  if (!area || /\/(settings\/account-deletion\/|accounts\/users\/service\/personal-data)/.test(file))
    continue;
  for (const [, ...tablesOrModels] of text.matchAll(WRITE_PATTERN)) {
    const tableOrModel = tablesOrModels.find(Boolean)!;
    if (areaByTableOrModel.has(tableOrModel) && areaByTableOrModel.get(tableOrModel) !== area)
      problems.push(
        `${file}: writes ${tableOrModel}, a table of the area ${areaByTableOrModel.get(tableOrModel)}`,
      );
  }
}

/** Pages with components that may require a proof of identity need the messages of that dialog. */
const PROOF_PROMPT = "components/accounts/users/use-proof-prompt";
if (!productSources.has(PROOF_PROMPT)) problems.push(`scripts/rules.ts: ${PROOF_PROMPT} does not exist`);
for (const [path, { file }] of productSources) {
  if (!/^app\/\(panel\)\/.*\.tsx$/.test(file)) continue;
  const chain = findImportChain(path, (target) => target === PROOF_PROMPT, listAllImports);
  const parentFolders = path.split("/").map((_, depth, parts) => parts.slice(0, depth).join("/"));
  const messageProviders = [...(chain ?? []), ...parentFolders.map((folder) => `${folder}/layout`)];
  const hasMessages = (name: string) =>
    messageProviders.some((provider) => productSources.get(provider)?.text.includes(`"${name}"`));
  if (chain && !(hasMessages("identity") && hasMessages("auth")))
    problems.push(`${file}: needs the messages "identity" and "auth" for ${chain.at(-2)}`);
}

/** Rule 3: names of files and folders. */
const componentFolders = [...SHARED_FOLDERS, ...FRAME_FOLDERS];
const DOMAIN_FILE =
  /contract|policy|domain|errors|export|dto|jobs|service|statements|[\w-]+\.provider|[\w.-]+\.test|service\/[\w-]+(\.test)?/;
const NAME_RULES: Array<[RegExp, string]> = [
  [/^app\/dev\/.*\/(page|layout|route)\.tsx?$/, "pages below /dev are for demo mode: name it *.demo.tsx"],
  [
    RegExp(`^server/domains/(?!(${AREAS.join("|")})/[\\w-]+/(${DOMAIN_FILE.source})\\.ts$)`),
    `not a file name of a domain in one of the areas ${AREAS}`,
  ],
  [
    RegExp(`^components/(?!(${[...componentFolders, ...domainImports.keys()].join("|")})/)`),
    `components are in ${componentFolders}, or named after a domain`,
  ],
];
for (const file of codeFiles)
  for (const [pattern, problem] of NAME_RULES) if (pattern.test(file)) problems.push(`${file}: ${problem}`);

/** Rule 5: a text next to other elements has an element of its own. */
for (const { file, text } of productSources.values())
  if (/^(app|components)\/.*\.tsx$/.test(file))
    for (const line of findBareTexts(file, text)) problems.push(`${file}:${line}: a text without an element`);

/** Texts use the words of messages/terms.json. Resellers signed the agreement by its hash: it keeps its words. */
const termbase: Termbase = JSON.parse(readFileSync("messages/terms.json", "utf8"));
const readTexts = (locale: Locale) =>
  new Map(listTexts(JSON.parse(readFileSync(`messages/generated/${locale}.json`, "utf8"))));
for (const locale of LOCALES) {
  const findForbiddenWords = createTermCheck(termbase, locale);
  const texts = readTexts(locale);
  texts.delete("agreementText.body");
  let wordCount = 0;
  for (const [key, text] of texts)
    for (const { word, use } of findForbiddenWords(text)) {
      problems.push(`messages/${locale}: ${key}: "${word}" is "${use}" in messages/terms.json`);
      wordCount++;
    }
  process.stdout.write(`  ${locale}: ${texts.size} texts, ${wordCount} forbidden words\n`);
}

/** Rich texts call functions for elements only; the arguments are the same in every language. */
const englishTexts = readTexts("en");
function listTexts(messages: object, prefix = ""): Array<[key: string, text: string]> {
  return Object.entries(messages).flatMap(([name, value]) =>
    typeof value === "string" ? [[prefix + name, value]] : listTexts(value, `${prefix}${name}.`),
  );
}
for (const { file, text } of productSources.values())
  if (text.includes(".rich("))
    for (const problem of findMismatchedArguments(file, text, englishTexts))
      problems.push(`${file}:${problem}`);

/** Rule 7: plain English in comments, test titles, API texts and documents. */
for (const file of listFiles().filter(
  (path) => /\.(tsx?|mjs|md|prisma|ya?ml)$/.test(path) && !path.startsWith("prisma/migrations/"),
))
  for (const prose of extractProse(file, readFileSync(file, "utf8"))) {
    const phrase = findUnclearPhrase(prose);
    if (phrase) problems.push(`${file}:${prose.line}: say plainly: "${phrase}"`);
  }

for (const problem of problems) process.stderr.write(`  ${problem}\n`);
process.stdout.write(`  ${codeFiles.length} files, ${problems.length} rules broken\n`);
process.exitCode = Math.min(problems.length, 1);
