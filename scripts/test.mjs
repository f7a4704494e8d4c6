import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "./lib/chromium.mjs";
import { getCpuSecondsSinceLastCall, getTotalChildCpuSeconds } from "./lib/cpu.mjs";
import { listFiles } from "./lib/files.mjs";
import { bin, checkEnvironment, fail, node, printStep, root, stopOnSignals } from "./lib/steps.mjs";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm test                types, lint, unused code, rules, unit and integration tests, production build,
 *                         main journeys
 * npm test -- --all       npm run test:all: also every combination of parameters, 20 rounds of
 *                         every race, all browser tests
 * npm test -- --quick     npm run verify: without database, build and browser
 * npx vitest run <file>   one test file
 * npx playwright test <file>   one file of browser tests, after npm run build
 *
 * Each part prints its duration and CPU time. The last line is "N passed, N failed".
 */
checkEnvironment();
const { quick, all } = readArguments(import.meta.url).values;
stopOnSignals();
const chromium = quick ? undefined : await findChromium();
if (!quick && !chromium)
  fail(
    "The browser tests need Chromium: install it, or set CHROMIUM_PATH. `npm run verify` runs what needs none.",
  );
const reports = mkdtempSync(join(tmpdir(), "tellal-reports-"));
const totals = { passed: 0, failed: 0 };

/** Runs one check. A failed check counts as one failure; tests are counted individually. */
async function runCheck(name, args, { env, minutes, count } = {}) {
  const startedAt = performance.now();
  const { ok } = await node(args, { env, minutes });
  const cpu = getCpuSecondsSinceLastCall();
  const counts = count?.() ?? { passed: 0, failed: 0 };
  // A run that crashed has no report: count it as one failure.
  if (!ok && counts.failed === 0) counts.failed = 1;
  totals.passed += counts.passed;
  totals.failed += counts.failed;
  const countText = count ? `: ${counts.passed} passed, ${counts.failed} failed` : "";
  printStep(`${ok ? "ok    " : "FAILED"} ${name}${countText}`, startedAt, cpu);
  return ok;
}

function readReport(file) {
  const path = join(reports, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

function countVitestResults() {
  const { numPassedTests = 0, numFailedTests = 0 } = readReport("vitest.json") ?? {};
  return { passed: numPassedTests, failed: numFailedTests };
}

function countPlaywrightResults() {
  const { stats, suites = [] } = readReport("playwright.json") ?? {};
  for (const { title, reason } of suites.flatMap(listSkippedTests))
    process.stdout.write(`  skipped: ${title}${reason ? `: ${reason}` : ""}\n`);
  const { expected = 0, flaky = 0, unexpected = 0 } = stats ?? {};
  return { passed: expected + flaky, failed: unexpected };
}

function listSkippedTests({ suites = [], specs = [] }) {
  const skippedTests = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === "skipped")
      .map(({ annotations }) => ({
        title,
        reason: annotations.find(({ type }) => type === "skip")?.description,
      })),
  );
  return [...skippedTests, ...suites.flatMap(listSkippedTests)];
}

const COMPLETE_ENV = { TEST_SUITE: "all", BURST_ROUNDS: "20" };

const allStartedAt = performance.now();
if (await runCheck("packages and generated files", ["scripts/generate.mjs"])) {
  await runCheck("route types", [bin.next, "typegen"]);
  // One checker: tsc starts four by default, which repeat each other's work and take all cores.
  await Promise.all([
    runCheck("types", [bin.tsc, "--noEmit", "--incremental", "false", "--checkers", "1"]),
    runLighterChecks(),
  ]);
  // In parallel with the build: tests spend much of their time waiting for timeouts.
  const [, isBuilt] = await Promise.all([
    runVitest(),
    quick ? false : runCheck("production build", ["scripts/build.mjs", "--changed"]),
  ]);
  if (isBuilt) await runBrowserTests();
}

async function runLighterChecks() {
  await runCheck("lint", [bin.biome, "check", "."]);
  await runCheck("unused code", [bin.knip]);
  await runCheck("rules", [bin.tsx, "scripts/rules.ts"]);
}

function runVitest() {
  const json = `--outputFile.json=${join(reports, "vitest.json")}`;
  const name = quick ? "tests without a database" : "unit and integration tests";
  const files = quick ? listFilesWithoutDatabase() : [];
  return runCheck(name, [bin.vitest, "run", "--reporter=dot", "--reporter=json", json, ...files], {
    minutes: all ? 90 : 30,
    count: countVitestResults,
    env: all ? COMPLETE_ENV : {},
  });
}

/** Add each new test helper that starts PostgreSQL to the pattern. */
function listFilesWithoutDatabase() {
  return listFiles()
    .filter((file) => /\.test\.tsx?$/.test(file))
    .filter(
      (file) =>
        !/startTestServer\(|createTestDatabase\(|[eE]mbedded/.test(readFileSync(join(root, file), "utf8")),
    );
}

async function runBrowserTests() {
  const projects = all ? [] : ["--project=main"];
  await runCheck("browser tests", [bin.playwright, "test", "--reporter=line,json", ...projects], {
    minutes: all ? 90 : 30,
    count: countPlaywrightResults,
    env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, "playwright.json") },
  });
}

rmSync(reports, { recursive: true, force: true });
printStep("all", allStartedAt, getTotalChildCpuSeconds());
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(totals.failed === 0 ? 0 : 1);
