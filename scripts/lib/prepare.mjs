import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { summary, table, tooHeavy, weigh } from "./budgets.mjs";
import { packClient } from "./client-package.mjs";
import { hintCompilation } from "./compile-hints.mjs";
import { joinFieldWords } from "./field-words.mjs";
import { joinMessages } from "./messages.mjs";
import { bin, fail, node, npm, root, step } from "./steps.mjs";

const read = (file) => readFileSync(join(root, file), "utf8");
const stampOf = (file) => (existsSync(join(root, file)) ? read(file).trim() : "");

/** Files below these, or with these names, do not affect a build. */
const NOT_SOURCES = new Set([
  ".git",
  ".github",
  "deploy",
  ".ci",
  ".next",
  ".data",
  "node_modules",
  "dist",
  "generated",
  "migrations",
  "e2e",
  "bench",
  "scripts",
  "coverage",
  "cache",
  "test-results",
  "playwright-report",
  "next-env.d.ts",
]);

/** Hash of names and contents of the files below `paths`. */
function hashOf(paths) {
  const hash = createHash("sha256").update(process.version);
  const add = (path) => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const inner = path === "." ? entry.name : `${path}/${entry.name}`;
      if (NOT_SOURCES.has(entry.name)) continue;
      if (entry.isDirectory()) add(inner);
      else if (entry.isFile() && isSource(path, entry.name))
        hash.update(inner).update(readFileSync(join(root, inner)));
    }
  };
  for (const path of paths) add(path);
  return hash;
}

function isSource(folder, name) {
  if (/\.test\.tsx?$|\.md$|\.tsbuildinfo$|^\.env|\.log$/.test(name)) return false;
  // Settings of other tools are next to those of the build.
  return folder !== "." || /\.(ts|mjs|js|json|css)$/.test(name);
}

/** Runs `npm ci`, unless node_modules already matches package-lock.json. Returns whether it ran. */
export async function install() {
  const wanted = createHash("sha256").update(read("package-lock.json")).digest("hex");
  const stamp = "node_modules/.tellal-lock";
  if (stampOf(stamp) === wanted) return false;
  const startedAt = performance.now();
  if (!installedByHand()) {
    process.stdout.write("  installing packages (once, about a minute)\n");
    // With the development tools, whatever NODE_ENV is: the build and the tests need them.
    const { ok } = await npm(["ci", "--include=dev", "--no-audit", "--no-fund"]);
    if (!ok) fail("The packages could not be installed; what npm said is above.");
    step("installed packages", startedAt);
  }
  writeFileSync(join(root, stamp), wanted);
  return true;
}

/** Whether somebody ran `npm ci` or `npm install` before, by npm's own record of node_modules. */
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
 * Generates what the sources import and git does not contain: the dictionaries, the words of the contracts' fields, and
 * Prisma's client unless it matches the models.
 */
export async function generate() {
  try {
    await joinMessages();
  } catch (error) {
    fail(`The dictionaries could not be joined: ${error.message}`);
  }
  joinFieldWords();
  const wanted = hashOf(["prisma/schema"])
    .update(JSON.parse(read("package.json")).devDependencies.prisma)
    .digest("hex");
  const stamp = "server/infrastructure/database/generated/.stamp";
  if (stampOf(stamp) === wanted) return false;
  const startedAt = performance.now();
  const { ok } = await node([bin.prisma, "generate"]);
  if (!ok) fail("The database client could not be generated; what Prisma said is above.");
  writeFileSync(join(root, stamp), wanted);
  step("generated the database client", startedAt);
  return true;
}

/** Runs the production build, unless the sources are those of the last one. */
export async function build({ force = false } = {}) {
  const publicSettings = Object.entries(process.env).filter(([name]) => name.startsWith("NEXT_PUBLIC_"));
  const wanted = hashOf(["."]).update(JSON.stringify(publicSettings.sort())).digest("hex");
  const stamp = ".next/tellal-build";
  const complete = existsSync(join(root, ".next/BUILD_ID")) && existsSync(join(root, "dist/main.js"));
  // A demo's build also serves production; a demo cannot use production's build.
  const fits = forProduction() || existsSync(join(root, "dist/demo/seed.js"));
  if (!force && complete && fits && stampOf(stamp) === wanted) return false;
  let startedAt = performance.now();
  process.stdout.write("  building the pages (when the sources changed, one to five minutes)\n");
  const { ok } = await node([bin.next, "build"], {
    env: { NODE_ENV: "production", APP_MODE: forProduction() ? "production" : "demo", TYPES_CHECKED: "1" },
  });
  if (!ok) fail("The build failed; what Next.js said is above.");
  hintCompilation(join(root, ".next/static/chunks"));
  step("built the pages", startedAt);
  startedAt = performance.now();
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const programs = ["main", "pages", "worker", ...(forProduction() ? [] : ["demo/seed"])];
  await bundle(programs.map((program) => `server/${program}.ts`));
  step("built the server", startedAt);
  startedAt = performance.now();
  await packClient(join(root, "dist")).catch(() =>
    fail("The client could not be packed; what the tool said is above."),
  );
  step("packed the client", startedAt);
  checkBudgets();
  mkdirSync(join(root, ".next"), { recursive: true });
  writeFileSync(join(root, stamp), wanted);
  return true;
}

/** Ends the build when a page loads more than its budget. */
function checkBudgets() {
  const rows = weigh();
  const over = tooHeavy(rows);
  if (over.length > 0) fail(`${table(over)}The build failed: these weigh more than their budgets.`);
  process.stdout.write(`  ${summary(rows)}\n`);
}

/**
 * Whether to build for production alone: without demo data, which has a published password, and without the demo's
 * pages.
 */
function forProduction() {
  const file = existsSync(join(root, ".env")) ? parseEnv(read(".env")) : {};
  return (process.env.APP_MODE ?? file.APP_MODE) === "production";
}

/**
 * Bundles these sources in dist/: a file for each, those for what they share, and for what they load when it is needed.
 * Demo data is apart, packages stay in node_modules.
 */
async function bundle(entries) {
  const esbuild = await import("esbuild");
  const demoApart = {
    name: "demo-apart",
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\/demo\/seed\.js$/ }, ({ path }) => ({ path, external: true })),
  };
  await esbuild
    .build({
      absWorkingDir: root,
      entryPoints: entries,
      outdir: "dist",
      outbase: "server",
      plugins: [demoApart],
      bundle: true,
      splitting: true,
      platform: "node",
      target: "node20",
      format: "esm",
      packages: "external",
      sourcemap: true,
      logLevel: "error",
      // The package throws outside Next's server layer; this is a server.
      alias: { "server-only": join(root, "node_modules/server-only/empty.js") },
    })
    .catch(() => fail("The server could not be bundled; what esbuild said is above."));
}
