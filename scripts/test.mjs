import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "./lib/chromium.mjs";
import { filesBelow } from "./lib/files.mjs";
import { bin, checkEnvironment, node, root, step, stopOnSignals } from "./lib/steps.mjs";

/*
 * `npm test`: runs everything, the cheap steps first, and continues after a failed one. `--quick` (npm run verify)
 * leaves out what needs a database, a build or a browser. The last line is "N passed, N failed".
 */
checkEnvironment();
const HELP = `npm test                everything: types, lint, unused code, rules, tests, production build, browser tests
npm run verify          the same without what needs a database, a build or a browser
npx vitest run <file>   one test file
npx playwright test --project=journeys <file>   one file of browser tests, after npm run build
`;
const unknown = process.argv.slice(2).filter((argument) => argument !== "--quick");
if (unknown.length > 0) {
  const asked = unknown.every((argument) => argument === "--help" || argument === "-h");
  (asked ? process.stdout : process.stderr).write(asked ? HELP : `Unknown: ${unknown.join(" ")}\n\n${HELP}`);
  process.exit(asked ? 0 : 1);
}
stopOnSignals();
const quick = process.argv.includes("--quick");
const reports = mkdtempSync(join(tmpdir(), "tellal-reports-"));
const total = { passed: 0, failed: 0 };

/** Runs one step; a failed check counts as one failure, tests are counted one by one. */
async function check(name, args, { env, minutes, count } = {}) {
  const startedAt = performance.now();
  const { ok } = await node(args, { env, minutes });
  const counted = count?.() ?? { passed: 0, failed: 0 };
  // A run that dies without a report, or with a broken file, has failed even though no test has.
  if (!ok && counted.failed === 0) counted.failed = 1;
  total.passed += counted.passed;
  total.failed += counted.failed;
  const numbers = count ? `: ${counted.passed} passed, ${counted.failed} failed` : "";
  step(`${ok ? "ok    " : "FAILED"} ${name}${numbers}`, startedAt);
  return ok;
}

function report(file) {
  const path = join(reports, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

function vitestCount() {
  const { numPassedTests = 0, numFailedTests = 0 } = report("vitest.json") ?? {};
  return { passed: numPassedTests, failed: numFailedTests };
}

function playwrightCount() {
  const { expected = 0, flaky = 0, unexpected = 0 } = report("playwright.json")?.stats ?? {};
  return { passed: expected + flaky, failed: unexpected };
}

const allStartedAt = performance.now();
if (await check("packages and generated files", ["scripts/generate.mjs"])) {
  await check("route types", [bin.next, "typegen"]);
  // Each checker looks at what the others look at, too: one takes half the work of four, and leaves a core to the rest.
  await Promise.all([
    check("types", [bin.tsc, "--noEmit", "--incremental", "false", "--checkers", "1"]),
    lighterChecks(),
  ]);
  // Side by side: while tests wait for a clock, the build has a core. What fails is shown as a whole at its end.
  const [, built] = await Promise.all([
    unitTests(),
    quick ? false : check("production build", ["scripts/build.mjs", "--changed"]),
  ]);
  if (built) await browserTests();
}

async function lighterChecks() {
  await check("lint", [bin.biome, "check", "."]);
  await check("unused code", [bin.knip]);
  if (existsSync(join(root, "scripts/rules.ts"))) await check("rules", [bin.tsx, "scripts/rules.ts"]);
}

function unitTests() {
  const json = `--outputFile.json=${join(reports, "vitest.json")}`;
  const name = quick ? "tests without a database" : "unit and integration tests";
  const files = quick ? filesWithoutDatabase() : [];
  return check(name, [bin.vitest, "run", "--reporter=dot", "--reporter=json", json, ...files], {
    minutes: 30,
    count: vitestCount,
  });
}

/** The test files that take seconds: those that start neither our server nor a database. */
function filesWithoutDatabase() {
  return filesBelow()
    .filter((file) => /\.test\.tsx?$/.test(file))
    .filter(
      (file) => !/testServer\(|testDatabase\(|[eE]mbedded/.test(readFileSync(join(root, file), "utf8")),
    );
}

async function browserTests() {
  if (!existsSync(join(root, "playwright.config.ts"))) return;
  const chromium = await findChromium();
  if (!chromium) {
    process.stdout.write("  FAILED browser tests: no Chromium; install it or set CHROMIUM_PATH\n");
    total.failed += 1;
    return;
  }
  await check("browser tests", [bin.playwright, "test", "--reporter=line,json"], {
    minutes: 45,
    count: playwrightCount,
    env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, "playwright.json") },
  });
}

rmSync(reports, { recursive: true, force: true });
step("all", allStartedAt);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 ? 0 : 1);
