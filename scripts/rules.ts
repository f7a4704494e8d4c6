import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { LOCALES } from "@/server/core/locale";
import { bareTexts } from "./lib/bare-text";
import { filesBelow } from "./lib/files.mjs";
import { packagesBeforeInstall } from "./lib/first-imports";
import { dictionaryOf } from "./lib/messages.mjs";

/*
 * npm run rules   checks the rules of ARCHITECTURE.md that no type checker knows; prints each violation, and exits 1 if there is one
 */

interface Source {
  path: string;
  text: string;
  imports: string[];
  /** What it loads when it needs it. */
  later: string[];
}

const sources: Source[] = filesBelow()
  .filter((path) => /\.tsx?$/.test(path))
  .map(read);

function read(path: string): Source {
  const text = readFileSync(path, "utf8");
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, target]) => resolve(path, target!));
  return {
    path,
    text,
    imports: found(/^(?:import|export)\s+(?!type\b)[^;]*?from\s+"([^"]+)"/gms),
    later: found(/\bimport\("([^"]+)"\)/g),
  };
}

/** A relative or `@/` import as a path from the root; packages keep their name. */
function resolve(from: string, target: string): string {
  if (target.startsWith("@/")) return target.slice(2);
  return target.startsWith(".") ? posix.join(posix.dirname(from), target) : target;
}

const problems: string[] = [];
const isTest = (path: string) =>
  /\.test\.tsx?$|^server\/testing\/|^e2e\/|^bench\/|^scripts\/|^prisma\//.test(path);
const product = sources.filter(({ path }) => !isTest(path));

/** Pages below /dev are the demo's, so a build for production leaves them out by their names. */
for (const { path } of product)
  if (/^app\/dev\/.*\/(page|layout|route)\.tsx?$/.test(path))
    problems.push(`${path}: pages below /dev are the demo's: name it *.demo.tsx`);

function domainOf(path: string): string | undefined {
  return /^server\/domains\/([\w-]+\/[\w-]+)\//.exec(path)?.[1];
}

/** Rule 1: wings of domains and of the components that use them. Each may import from those after it only. */
const WINGS = ["settings", "tenancy", "access", "billing", "sites", "platform", "accounts"];
/** Components below every wing, and the frame and pages that may use every wing. */
const SHARED = ["ui", "form", "api"];
const FRAMES = ["shell", "navigation", "dashboard", "docs"];
const domains = new Set(product.map(({ path }) => domainOf(path)));
const operationsOf = readOperations();
for (const source of product) {
  const { path } = source;
  const wing = wingOf(path);
  if (path.startsWith("server/domains/") && wing < 0)
    problems.push(`${path}: is in none of the wings ${WINGS}`);
  if (path.startsWith("components/") && !hasPlace(path))
    problems.push(`${path}: components are in ${[...SHARED, ...FRAMES]}, or named after a domain`);
  for (const target of [...source.imports, ...callsOf(source)])
    if (wing >= 0 && wingOf(target) >= 0 && wingOf(target) < wing)
      problems.push(`${path}: needs ${target}, a wing above`);
}

function hasPlace(path: string): boolean {
  const [, folder = "", domain] = path.split("/");
  return [...SHARED, ...FRAMES].includes(folder) || domains.has(`${folder}/${domain}`);
}

function wingOf(path: string): number {
  const [, home, folder = ""] = /^(server\/domains|components)\/([\w-]+)\//.exec(path) ?? [];
  return home === "components" && SHARED.includes(folder) ? WINGS.length : WINGS.indexOf(folder);
}

/** Returns the operations that a component calls: by the hooks, or by `call`. */
function callsOf({ path, text }: Source): string[] {
  if (!path.startsWith("components/")) return [];
  return [...text.matchAll(/\b(?:api|call|utils)\.(\w+)\./g)].flatMap(
    ([, name]) => operationsOf.get(name!) ?? [],
  );
}

/** Returns the file of each name of the client: `signIn` is `server/domains/access/sign-in/domain`. */
function readOperations(): Map<string, string> {
  const text = readFileSync("server/domains.ts", "utf8");
  const listed = text.matchAll(/^import \{ (\w+) \} from "\.\/(domains\/.+)";/gm);
  return new Map([...listed].map(([, name, at]) => [name!, `server/${at}`]));
}

/**
 * Rule 1: what the browser loads leads to nothing of the server's own, at once or later, and what it loads at once not
 * to the library of schemas, which is for forms that somebody fills in.
 */
const byPath = new Map(product.map((source) => [source.path.replace(/\.tsx?$/, ""), source]));
function wayTo(
  goal: RegExp,
  next: (source: Source) => string[],
  path: string,
  way: string[],
  seen: Set<string>,
): string[] | undefined {
  if (goal.test(path)) return [...way, path];
  const source = byPath.get(path);
  if (!source || seen.has(path)) return undefined;
  seen.add(path);
  for (const target of next(source)) {
    const found = wayTo(goal, next, target, [...way, path], seen);
    if (found) return found;
  }
  return undefined;
}
for (const { path } of product.filter(({ text }) => /^"use client"/.test(text))) {
  const from = path.replace(/\.tsx?$/, "");
  const leak = wayTo(
    /^server\/infrastructure\/|^node:/,
    ({ imports, later }) => [...imports, ...later],
    from,
    [],
    new Set(),
  );
  if (leak) problems.push(`the browser would load ${leak.join(" -> ")}`);
  const schemas = wayTo(/^zod$/, ({ imports }) => imports, from, [], new Set());
  if (schemas && !path.startsWith("app/dev/"))
    problems.push(`a page would begin with ${schemas.join(" -> ")}`);
}

/** A page whose components may ask for a proof of identity sends the messages of that dialog. */
for (const { path } of product.filter(({ path }) => /^app\/\(panel\)\/.*\.tsx$/.test(path))) {
  const way = wayTo(
    /^components\/accounts\/proof\/use-proven$/,
    ({ imports, later }) => [...imports, ...later],
    path.replace(/\.tsx$/, ""),
    [],
    new Set(),
  );
  const folders = path.split("/").map((_, depth, parts) => parts.slice(0, depth).join("/"));
  const around = [...(way ?? []), ...folders.map((folder) => `${folder}/layout`)];
  const sends = (name: string) => around.some((file) => byPath.get(file)?.text.includes(`"${name}"`));
  if (way && !(sends("identity") && sends("auth")))
    problems.push(`${path}: needs the messages "identity" and "auth" for ${way.at(-2)}`);
}

/** Rule 1: domains do not depend on each other in a circle. */
const needs = new Map<string, Set<string>>();
for (const { path, imports } of product) {
  const domain = domainOf(path);
  if (!domain) continue;
  // Contracts only describe; a circle of services is what would tie two domains together.
  const others = imports.filter((target) => !target.endsWith("/contract")).map(domainOf);
  for (const other of others)
    if (other && other !== domain) needs.set(domain, (needs.get(domain) ?? new Set()).add(other));
}
for (const start of needs.keys()) {
  const path = circle(start, start, new Set());
  if (path) problems.push(`domains need each other: ${[start, ...path].join(" -> ")}`);
}
function circle(from: string, goal: string, seen: Set<string>): string[] | undefined {
  for (const next of needs.get(from) ?? []) {
    if (next === goal) return [goal];
    if (seen.has(next)) continue;
    const rest = circle(next, goal, seen.add(next));
    if (rest) return [next, ...rest];
  }
  return undefined;
}

/**
 * Rule 1: only a wing writes its tables, those of its file in prisma/schema. The end of an account acts on all of
 * them, and so does `accounts/personal-data`, by what the domains declare.
 */
const wingOfModel = new Map<string, string>();
const wingOfTable = new Map<string, string>();
for (const file of readdirSync("prisma/schema")) {
  const wing = file.replace(".prisma", "");
  const schema = readFileSync(`prisma/schema/${file}`, "utf8");
  for (const [, model, body] of schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)) {
    wingOfModel.set(model![0]!.toLowerCase() + model!.slice(1), wing);
    wingOfTable.set(/@@map\("(\w+)"\)/.exec(body!)![1]!, wing);
  }
}
const PRISMA_WRITE =
  /\.(\w+)\s*\.(?:create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert|delete|deleteMany)\(/g;
const SQL_WRITE = /\b(?:insert into|delete from)\s+(\w+)|(?<!for )\bupdate\s+(\w+)\s+(?:\w+\s+)?set\b/g;
const ENGINES = /^server\/domains\/(settings\/account-deletion|accounts\/personal-data)\//;
for (const { path, text } of product) {
  const wing = /^server\/domains\/([\w-]+)\//.exec(path)?.[1];
  if (!wing || ENGINES.test(path)) continue;
  const written = [
    ...[...text.matchAll(PRISMA_WRITE)].map(([, model]) => [model, wingOfModel.get(model!)]),
    ...(path.endsWith("/statements.ts")
      ? [...text.matchAll(SQL_WRITE)].map(([, a, b]) => [a ?? b, wingOfTable.get((a ?? b)!)])
      : []),
  ];
  for (const [table, owner] of written)
    if (owner && owner !== wing) problems.push(`${path}: writes ${table}, which is the ${owner} wing's`);
}

/** Rule 2: what may appear where. */
const PLACES: Array<{ what: string; pattern: RegExp; allowed: RegExp }> = [
  { what: "raw SQL made of strings", pattern: /\$(query|execute)RawUnsafe/, allowed: /^$/ },
  {
    what: "SQL outside of statements.ts",
    pattern: /\bsql(<[^>]*>)?`|\$(query|execute)Raw\b|\bPrisma\.(sql|raw)\b/,
    allowed: /^server\/domains\/[\w-]+\/[\w-]+\/statements\.ts$|^server\/infrastructure\//,
  },
  { what: "TRPCError", pattern: /\bTRPCError\b/, allowed: /^server\/transports\/trpc\// },
  {
    what: "Response",
    pattern: /\bnew (Next)?Response\(|\bNextResponse\./,
    // The bucket's driver makes what its library takes for an answer of the bucket.
    allowed: /^(server\/transports|app|client)\/|^proxy\.ts$|^server\/infrastructure\/storage\/s3\.ts$/,
  },
  {
    what: "Prisma",
    pattern: /\b(prisma\(\)|ctx\.db\b|statementsOn\(|inTransaction\()/,
    allowed:
      /^server\/domains\/[\w-]+\/[\w-]+\/(service(\/[\w-]+)?|jobs|dto|export)\.ts$|^server\/(infrastructure|demo)\/|^server\/backend\.ts$/,
  },
];
for (const { path, text } of product) {
  for (const { what, pattern, allowed } of PLACES) {
    if (pattern.test(text) && !allowed.test(path)) problems.push(`${path}: ${what} does not belong here`);
  }
}

/** Rule 3: every domain that declares something is listed. */
const list = readFileSync("server/domains.ts", "utf8");
for (const { path } of product)
  if (path.endsWith("/domain.ts") && path.startsWith("server/domains/"))
    if (!list.includes(`"./${path.slice("server/".length, -".ts".length)}"`))
      problems.push(`${path}: is not listed in server/domains.ts`);

/** Rule 3: the closed set of file names in a domain, and a maximum file length. */
const DOMAIN_FILE =
  /^server\/domains\/[\w-]+\/[\w-]+\/(contract|policy|domain|errors|export|dto|jobs|service|statements|[\w-]+\.provider|[\w.-]+\.test|service\/[\w-]+(\.test)?)\.ts$/;
for (const { path } of sources)
  if (path.startsWith("server/domains/") && !DOMAIN_FILE.test(path))
    problems.push(`${path}: not a file name of a domain`);

/** Rule 4: every operation has its route file and every route file its operation. */
const described = new Set(
  product
    .filter(({ path }) => /\/contract\.ts$|\/rest\/(openapi|postman|client-package)\.ts$/.test(path))
    .flatMap(({ text }) => [...text.matchAll(/\bpath: "(\/api\/[^"]+)"/g)].map(([, path]) => path!)),
);
const routed = new Map(
  product
    .filter(({ path }) => /^app\/api\/.*route\.ts$/.test(path))
    .map(({ path, text }) => [/route\(\s*"([^"]+)"/.exec(text)?.[1] ?? "", path]),
);
for (const path of described) if (!routed.has(path)) problems.push(`${path}: no route file below app/api`);
for (const [path, file] of routed) {
  const folder = `app${path
    .replace("{locale}.json", "[locale]")
    .replace("{rest}", "[...rest]")
    .replace(/\{(\w+)\}/g, "[$1]")}/route.ts`;
  if (path !== "/api/{rest}" && !described.has(path))
    problems.push(`${file}: no operation with the path ${path}`);
  if (folder !== file) problems.push(`${file}: its path ${path} belongs in ${folder}`);
}

/** Rule 4: every language has the same files. */
const whole = Object.fromEntries(LOCALES.map((locale) => [locale, dictionaryOf(locale)]));
const namespaces = new Set(Object.values(whole).flatMap((dictionary) => Object.keys(dictionary)));
for (const name of namespaces) {
  const missing = LOCALES.filter((locale) => !(name in whole[locale]!));
  if (missing.length > 0) problems.push(`messages: ${name}.json is missing in ${missing.join(", ")}`);
}
const dictionaryFiles = new Set(
  LOCALES.flatMap((locale) => [...namespaces].map((name) => `messages/${locale}/${name}.json`)),
);
for (const path of filesBelow("messages"))
  if (!dictionaryFiles.has(path)) problems.push(`${path}: not a file of a language`);

/** Rule 4: every language has every key, with the same placeholders. */
const dictionaries = Object.fromEntries(LOCALES.map((locale) => [locale, flatten(whole[locale]!)]));
const all = new Set(Object.values(dictionaries).flatMap((dictionary) => [...dictionary.keys()]));
for (const key of all) {
  const missing = LOCALES.filter(
    (locale) => key.split(".")[0]! in whole[locale]! && !dictionaries[locale]!.has(key),
  );
  if (missing.length > 0) problems.push(`messages: ${key} is missing in ${missing.join(", ")}`);
  const shapes = new Set(
    LOCALES.filter((locale) => dictionaries[locale]!.has(key)).map((locale) =>
      placeholders(dictionaries[locale]!.get(key)!),
    ),
  );
  if (shapes.size > 1)
    problems.push(`messages: ${key} has different placeholders: ${[...shapes].join(" | ")}`);
}
const codes = product
  .filter(({ path }) => path.endsWith("/errors.ts"))
  .flatMap(({ text }) => [...text.matchAll(/^ {2}(\w+): \{\s*status:/gms)].map(([, code]) => code!));
for (const code of codes)
  if (!all.has(`errors.${code}`)) problems.push(`messages: errors.${code} is missing`);

function flatten(node: Record<string, unknown>, prefix = ""): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === "string") flat.set(prefix + key, value);
    else
      for (const [inner, text] of flatten(value as Record<string, unknown>, `${prefix}${key}.`))
        flat.set(inner, text);
  }
  return flat;
}

function placeholders(text: string): string {
  return [...new Set([...text.matchAll(/\{(\w+)\s*[,}]/g)].map(([, name]) => name))].sort().join(",");
}

/** Rule 5: no hand-written texts in attributes; Biome finds those between tags. */
for (const { path, text } of product.filter(({ path }) =>
  /^(app(?!\/dev\/components)|components)\/.*\.tsx$/.test(path),
)) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const found = /\b(?:aria-label|placeholder|title|alt|label)="([^"]*\p{L}{3,}[^"]*)"/u.exec(code)?.[1];
  if (found) problems.push(`${path}: text in the code: ${found.trim().slice(0, 60)}`);
}

/** Rule 5: texts beside other children have elements, for pages that a browser translates. */
for (const { path, text } of product)
  if (/^(app|components)\/.*\.tsx$/.test(path))
    for (const line of bareTexts(path, text)) problems.push(`${path}:${line}: a text without an element`);

/** Rule 6: scripts that install the packages load without them. */
for (const { path, name } of await packagesBeforeInstall())
  problems.push(`${path}: runs before the packages are installed; load ${name} by import() after install()`);

for (const problem of problems) process.stderr.write(`  ${problem}\n`);
process.stdout.write(
  problems.length === 0
    ? `  ${sources.length} files keep the rules\n`
    : `  ${problems.length} rules broken\n`,
);
process.exit(problems.length === 0 ? 0 : 1);
