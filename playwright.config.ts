import { defineConfig } from "@playwright/test";
import { findInstalledChromium } from "./scripts/lib/chromium.mjs";

/**
 * Runs on the production build. `main` runs tests tagged `@main` in any file; the other projects are the long
 * suite: journeys, the sweep over every page, and servers that are started and killed.
 */
const MAIN = /@main/;
const INSTALLATION = "process/installation.spec.ts";

export default defineConfig({
  testDir: "./e2e",
  globalSetup: "./e2e/prepared-data.ts",
  projects: [
    { name: "main", grep: MAIN },
    { name: "process", testMatch: "process/*.spec.ts", testIgnore: INSTALLATION, grepInvert: MAIN },
    { name: "sweep", testMatch: "sweep.spec.ts", grepInvert: MAIN },
    { name: "journeys", testIgnore: ["process/**", "sweep.spec.ts"], grepInvert: MAIN },
    // Alone on the machine, because no call may fail while a release is built.
    { name: "installation", testMatch: INSTALLATION, dependencies: ["process", "sweep", "journeys"] },
  ],
  // Tests share a server but no accounts.
  fullyParallel: true,
  workers: 2,
  // Generous, because the machine may be busy: tests should fail on results, not on time.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: "line",
  use: {
    navigationTimeout: 60_000,
    actionTimeout: 60_000,
    contextOptions: { reducedMotion: "reduce" },
    locale: "tr-TR",
    timezoneId: "Europe/Istanbul",
    // Traces slow down every step; enable them with `--trace on`.
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? findInstalledChromium(),
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
  },
});
