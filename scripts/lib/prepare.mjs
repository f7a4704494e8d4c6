import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { summary, table, tooHeavy, weigh } from "./budgets.mjs";
import { packClient } from "./client-package.mjs";
import { hintCompilation } from "./compile-hints.mjs";
import { filesBelow, UNTRACKED } from "./files.mjs";
import { joinMessages } from "./messages.mjs";
import { bin, fail, node, npm, root, step } from "./steps.mjs";

const read = (file) => readFileSync(join(root, file), "utf8");
const stampOf = (file) => (existsSync(join(root, file)) ? read(file).trim() : "");

/** Stamps of the last finished build: hash of the sources, and mode. */
const PAGES_STAMP = ".next/tellal-build";
const SERVER_STAMP = "dist/tellal-build";

/** Files and folders that do not affect a build. */
const NOT_SOURCES = new Set([
  ...UNTRACKED,
  ".github",
  "deploy",
  ".ci",
  "migrations",
  "e2e",
  "bench",
  "scripts",
]);

function hashOf(folder) {
  const hash = createHash("sha256").update(process.version);
  for (const path of filesBelow(folder, NOT_SOURCES))
    if (isSource(path)) hash.update(path).update(readFileSync(join(root, path)));
  return hash;
}

function isSource(path) {
  if (/\.test\.tsx?$|\.md$|\.tsbuildinfo$|(^|\/)\.env[^/]*$|\.log$/.test(path)) return false;
  // The root also has configuration of other tools.
  return path.includes("/") || /\.(ts|mjs|js|json|css)$/.test(path);
}

/** Runs `npm ci` unless node_modules match package-lock.json. Returns true if packages were missing. */
export async function install() {
  const wanted = createHash("sha256").update(read("package-lock.json")).digest("hex");
  const stamp = "node_modules/.tellal-lock";
  if (stampOf(stamp) === wanted) return false;
  const startedAt = performance.now();
  if (!installedByHand()) {
    process.stdout.write("  installing the packages of package-lock.json (once)\n");
    // --include=dev: NODE_ENV=production would leave out the tools of the build.
    const cache = temporaryCache();
    const env = cache ? { npm_config_cache: cache } : {};
    const { ok } = await npm(["ci", "--include=dev", "--no-audit", "--no-fund"], { env });
    if (cache) rmSync(cache, { recursive: true, force: true });
    if (!ok) fail("The packages could not be installed; see npm's output above.");
    step("installed packages", startedAt);
  }
  writeFileSync(join(root, stamp), wanted);
  return true;
}

/** Creates a folder for npm's cache if the one in the home directory is read-only. */
function temporaryCache() {
  let folder = process.env.npm_config_cache ?? join(homedir(), ".npm");
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch {
    return mkdtempSync(join(tmpdir(), "tellal-npm-"));
  }
}

/** Tells from npm's record of node_modules whether `npm ci` or `npm install` was run by hand. */
function installedByHand() {
  const record = "node_modules/.package-lock.json";
  if (!existsSync(join(root, record))) return false;
  const installed = JSON.parse(read(record)).packages;
  const wanted = JSON.parse(read("package-lock.json")).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === "" || optional || installed[path]?.version === version,
  );
}

/**
 * Generates files that git does not contain: dictionaries, Prisma client, API descriptions and client types. Returns true if
 * anything but dictionaries was out of date.
 */
export async function generate() {
  try {
    await joinMessages();
  } catch (error) {
    fail(`The dictionaries could not be joined: ${error.message}`);
  }
  return [await generateDatabaseClient(), await generateDescriptions()].includes(true);
}

async function generateDatabaseClient() {
  const wanted = hashOf("prisma/schema")
    .update(JSON.parse(read("package.json")).devDependencies.prisma)
    .digest("hex");
  const stamp = "server/infrastructure/database/generated/.stamp";
  if (stampOf(stamp) === wanted) return false;
  const startedAt = performance.now();
  const { ok } = await node([bin.prisma, "generate"]);
  if (!ok) fail("The database client could not be generated; see Prisma's output above.");
  writeFileSync(join(root, stamp), wanted);
  step("generated the database client", startedAt);
  return true;
}

/** Sources of the API descriptions and the client types. */
const DESCRIBED =
  /^server\/(core|transports\/rest)\/|^server\/.*\/(contract|errors|policy|domain)\.ts$|^server\/(domains|errors)\.ts$|^scripts\/lib\/(describe|postman)|^package-lock\.json$/;

async function generateDescriptions() {
  const folder = "server/transports/rest/generated";
  const wanted = createHash("sha256");
  for (const path of filesBelow().filter((path) => DESCRIBED.test(path) && !path.endsWith(".test.ts")))
    wanted.update(path).update(readFileSync(join(root, path)));
  const hash = wanted.digest("hex");
  const stamp = `${folder}/.stamp`;
  if (stampOf(stamp) === hash) return false;
  const startedAt = performance.now();
  await bundle(["scripts/lib/describe.ts"], { outdir: "dist/describe", outbase: "scripts/lib" });
  const described = await node(["dist/describe/describe.js"]);
  rmSync(join(root, "dist/describe"), { recursive: true });
  if (!described.ok) fail("The API could not be described; the error is above.");
  const types = await node([
    bin.openapiTypescript,
    `${folder}/openapi-client.json`,
    "-o",
    "client/generated/schema.d.ts",
  ]);
  if (!types.ok) fail("The client's types could not be generated; the error is above.");
  writeFileSync(join(root, stamp), hash);
  step("generated the API's descriptions", startedAt);
  return true;
}

/** Builds pages and server for production, each if its sources have changed. Built pages survive a later failure. */
export async function build({ force = false } = {}) {
  const publicSettings = Object.entries(process.env).filter(([name]) => name.startsWith("NEXT_PUBLIC_"));
  const wanted = hashOf(".").update(JSON.stringify(publicSettings.sort())).digest("hex");
  // A demo build also serves production, but not the other way round.
  const mode = isForProduction() ? "production" : "demo";
  const isBuilt = (stamp) => !force && ["demo", mode].some((each) => stampOf(stamp) === `${wanted} ${each}`);
  const write = (stamp) => writeFileSync(join(root, stamp), `${wanted} ${mode}`);
  const pagesAreBuilt = isBuilt(PAGES_STAMP) && existsSync(join(root, ".next/BUILD_ID"));
  if (pagesAreBuilt && isBuilt(SERVER_STAMP) && existsSync(join(root, "dist/main.js"))) return false;
  if (!pagesAreBuilt) {
    rmSync(join(root, PAGES_STAMP), { force: true });
    await buildPages(mode);
    write(PAGES_STAMP);
  }
  await buildServer(mode);
  checkBudgets();
  write(SERVER_STAMP);
  return true;
}

async function buildPages(mode) {
  const startedAt = performance.now();
  process.stdout.write("  building the pages (when the sources changed, one to five minutes)\n");
  const { ok } = await node([bin.next, "build"], {
    env: { NODE_ENV: "production", APP_MODE: mode, TYPES_CHECKED: "1" },
  });
  if (!ok) fail("The build failed; see the output of Next.js above.");
  hintCompilation(join(root, ".next/static/chunks"));
  step("built the pages", startedAt);
}

async function buildServer(mode) {
  let startedAt = performance.now();
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const programs = [
    "main",
    "server-process",
    "pages",
    "worker",
    "worker-process",
    ...(mode === "demo" ? ["demo/seed"] : []),
  ];
  await bundle(programs.map((program) => `server/${program}.ts`));
  step("built the server", startedAt);
  startedAt = performance.now();
  await packClient(join(root, "dist")).catch((error) =>
    fail(`The client could not be packed: ${error.message}`),
  );
  step("packed the client", startedAt);
}

/** Fails the build if a page exceeds its size budget. */
function checkBudgets() {
  const rows = weigh();
  const over = tooHeavy(rows);
  if (over.length > 0) fail(`${table(over)}The build failed: these weigh more than their budgets.`);
  process.stdout.write(`  ${summary(rows)}\n`);
}

/** Production builds contain neither demo data, whose password is published, nor the pages below /dev. */
function isForProduction() {
  return (process.env.APP_MODE ?? settingsFile().APP_MODE) === "production";
}

function settingsFile() {
  try {
    return parseEnv(read(".env").replace(/^\uFEFF/, ""));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    return fail(`${join(root, ".env")} cannot be read (${error.code}).`);
  }
}

/** Returns the commit of the sources, from COMMIT in an image; empty if unknown. */
function commitOfSources() {
  // Without this check, git would use a repository of a parent folder.
  if (process.env.COMMIT || !existsSync(join(root, ".git"))) return process.env.COMMIT ?? "";
  const options = ["describe", "--always", "--abbrev=8", "--dirty", "--exclude=*"];
  return spawnSync("git", options, { cwd: root, encoding: "utf8" }).stdout?.trim() ?? "";
}

/** Bundles sources into a file per entry, shared module and lazy import. Demo data and packages stay external. */
async function bundle(entries, { outdir = "dist", outbase = "server" } = {}) {
  const esbuild = await import("esbuild");
  const externalDemo = {
    name: "external-demo",
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\/demo\/seed\.js$/ }, ({ path }) => ({ path, external: true })),
  };
  await esbuild
    .build({
      absWorkingDir: root,
      entryPoints: entries,
      outdir,
      outbase,
      plugins: [externalDemo],
      bundle: true,
      splitting: true,
      platform: "node",
      target: "node20",
      format: "esm",
      packages: "external",
      sourcemap: true,
      logLevel: "error",
      define: { "process.env.COMMIT": JSON.stringify(commitOfSources()) },
      // The real package throws outside of Next.js.
      alias: { "server-only": join(root, "node_modules/server-only/empty.js") },
    })
    .catch(() => fail("The sources could not be bundled; see the output of esbuild above."));
  // Otherwise esbuild's process stays as long as the server.
  await esbuild.stop();
}
