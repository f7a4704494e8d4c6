import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { findOverBudget, formatSummary, formatTable, measureBuild } from "./budgets.mjs";
import { packClient } from "./client-package.mjs";
import { hintCompilation } from "./compile-hints.mjs";
import { listFiles, UNTRACKED_NAMES } from "./files.mjs";
import { joinMessages } from "./messages.mjs";
import { bin, fail, node, npm, printStep, root } from "./steps.mjs";

const readText = (file) => readFileSync(join(root, file), "utf8");
const readStamp = (file) => (existsSync(join(root, file)) ? readText(file).trim() : "");

/** Stamps of the last finished build: hash of the sources, and mode. */
const PAGES_STAMP = ".next/tellal-build";
const SERVER_STAMP = "dist/tellal-build";

const IGNORED_NAMES = new Set([
  ...UNTRACKED_NAMES,
  ".github",
  "deploy",
  ".ci",
  "migrations",
  "e2e",
  "bench",
  "scripts",
]);

function hashSources(folder) {
  const hash = createHash("sha256").update(process.version);
  for (const path of listFiles(folder, IGNORED_NAMES))
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
  const lockHash = createHash("sha256").update(readText("package-lock.json")).digest("hex");
  const stamp = "node_modules/.tellal-lock";
  if (readStamp(stamp) === lockHash) return false;
  const startedAt = performance.now();
  if (!isInstalledByHand()) {
    process.stdout.write("  installing the packages of package-lock.json (once)\n");
    // --include=dev: NODE_ENV=production would leave out the tools of the build.
    const cache = createCacheIfReadOnly();
    const env = cache ? { npm_config_cache: cache } : {};
    const { ok } = await npm(["ci", "--include=dev", "--no-audit", "--no-fund"], { env });
    if (cache) rmSync(cache, { recursive: true, force: true });
    if (!ok) fail("The packages could not be installed; see npm's output above.");
    printStep("installed packages", startedAt);
  }
  writeFileSync(join(root, stamp), lockHash);
  return true;
}

function createCacheIfReadOnly() {
  let folder = process.env.npm_config_cache ?? join(homedir(), ".npm");
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch {
    return mkdtempSync(join(tmpdir(), "tellal-npm-"));
  }
}

/** Checks npm's record of node_modules: true if `npm ci` or `npm install` was run by hand. */
function isInstalledByHand() {
  const record = "node_modules/.package-lock.json";
  if (!existsSync(join(root, record))) return false;
  const installedPackages = JSON.parse(readText(record)).packages;
  const lockedPackages = JSON.parse(readText("package-lock.json")).packages;
  return Object.entries(lockedPackages).every(
    ([path, { version, optional }]) =>
      path === "" || optional || installedPackages[path]?.version === version,
  );
}

/** Generates files that git does not contain. Returns true if any but the dictionaries was out of date. */
export async function generate() {
  try {
    await joinMessages();
  } catch (error) {
    fail(`The dictionaries could not be joined: ${error.message}`);
  }
  return [await generateDatabaseClient(), await generateDescriptions()].includes(true);
}

async function generateDatabaseClient() {
  const schemaHash = hashSources("prisma/schema")
    .update(JSON.parse(readText("package.json")).devDependencies.prisma)
    .digest("hex");
  const stamp = "server/infrastructure/database/generated/.stamp";
  if (readStamp(stamp) === schemaHash) return false;
  const startedAt = performance.now();
  const { ok } = await node([bin.prisma, "generate"]);
  if (!ok) fail("The database client could not be generated; see Prisma's output above.");
  writeFileSync(join(root, stamp), schemaHash);
  printStep("generated the database client", startedAt);
  return true;
}

const API_SOURCES =
  /^server\/(core|transports\/rest)\/|^server\/.*\/(contract|errors|policy|domain)\.ts$|^server\/(domains|errors)\.ts$|^messages\/en\/(errors|validation)\.json$|^scripts\/lib\/(describe|postman)|^package-lock\.json$/;

async function generateDescriptions() {
  const folder = "server/transports/rest/generated";
  const hashBuilder = createHash("sha256");
  for (const path of listFiles().filter((path) => API_SOURCES.test(path) && !path.endsWith(".test.ts")))
    hashBuilder.update(path).update(readFileSync(join(root, path)));
  const hash = hashBuilder.digest("hex");
  const stamp = `${folder}/.stamp`;
  if (readStamp(stamp) === hash) return false;
  const startedAt = performance.now();
  await bundleSources(["scripts/lib/describe.ts"], { outdir: "dist/describe", outbase: "scripts/lib" });
  const descriptionRun = await node(["dist/describe/describe.js"]);
  rmSync(join(root, "dist/describe"), { recursive: true });
  if (!descriptionRun.ok) fail("The API could not be described; the error is above.");
  const typesRun = await node([
    bin.openapiTypescript,
    `${folder}/openapi-client.json`,
    "-o",
    "client/generated/schema.d.ts",
  ]);
  if (!typesRun.ok) fail("The client's types could not be generated; the error is above.");
  writeFileSync(join(root, stamp), hash);
  printStep("generated the API's descriptions", startedAt);
  return true;
}

/** Builds pages and server for production if their sources have changed. Returns true if it built. */
export async function build({ force = false } = {}) {
  const publicSettings = Object.entries(process.env).filter(([name]) => name.startsWith("NEXT_PUBLIC_"));
  const sourceHash = hashSources(".").update(JSON.stringify(publicSettings.sort())).digest("hex");
  // A demo build also serves production, but not the other way round.
  const mode = isForProduction() ? "production" : "demo";
  const isBuilt = (stamp) =>
    !force && ["demo", mode].some((each) => readStamp(stamp) === `${sourceHash} ${each}`);
  const write = (stamp) => writeFileSync(join(root, stamp), `${sourceHash} ${mode}`);
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
  printStep("built the pages", startedAt);
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
  await bundleSources(programs.map((program) => `server/${program}.ts`));
  printStep("built the server", startedAt);
  startedAt = performance.now();
  await packClient(join(root, "dist")).catch((error) =>
    fail(`The client could not be packed: ${error.message}`),
  );
  printStep("packed the client", startedAt);
}

function checkBudgets() {
  const rows = measureBuild();
  const pagesOverBudget = findOverBudget(rows);
  if (pagesOverBudget.length > 0)
    fail(`${formatTable(pagesOverBudget)}The build failed: these weigh more than their budgets.`);
  process.stdout.write(`  ${formatSummary(rows)}\n`);
}

/** Production builds omit demo data, whose password is published, and the pages below /dev. */
function isForProduction() {
  return (process.env.APP_MODE ?? readSettingsFile().APP_MODE) === "production";
}

function readSettingsFile() {
  try {
    return parseEnv(readText(".env").replace(/^\uFEFF/, ""));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    return fail(`${join(root, ".env")} cannot be read (${error.code}).`);
  }
}

/** Returns the commit of the sources, from COMMIT in an image; empty if unknown. */
function findSourceCommit() {
  // Without this check, git would use a repository of a parent folder.
  if (process.env.COMMIT || !existsSync(join(root, ".git"))) return process.env.COMMIT ?? "";
  const options = ["describe", "--always", "--abbrev=8", "--dirty", "--exclude=*"];
  return spawnSync("git", options, { cwd: root, encoding: "utf8" }).stdout?.trim() ?? "";
}

/** Bundles entries with shared chunks. Packages and demo data stay external. */
async function bundleSources(entries, { outdir = "dist", outbase = "server" } = {}) {
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
      define: { "process.env.COMMIT": JSON.stringify(findSourceCommit()) },
      // The real package throws outside of Next.js.
      alias: { "server-only": join(root, "node_modules/server-only/empty.js") },
    })
    .catch(() => fail("The sources could not be bundled; see the output of esbuild above."));
  // esbuild's child process would keep running next to the server.
  await esbuild.stop();
}
