import { defineConfig } from "@playwright/test";
import { installedChromium } from "./scripts/lib/chromium.mjs";

/**
 * On the production build. `main` holds what is tagged `@main`, in any file; the others are the long suite: further
 * journeys, the sweep over every page, and servers that are started and killed.
 */
const MAIN = /@main/;

export default defineConfig({
  testDir: "./e2e",
  globalSetup: "./e2e/prepared-data.ts",
  projects: [
    { name: "main", grep: MAIN },
    { name: "process", testMatch: "process/*.spec.ts", grepInvert: MAIN },
    { name: "sweep", testMatch: "sweep.spec.ts", grepInvert: MAIN },
    { name: "journeys", testIgnore: ["process/**", "sweep.spec.ts"], grepInvert: MAIN },
  ],
  // Tests share nothing but a server whose people they do not share.
  fullyParallel: true,
  workers: 2,
  // Generous: a busy machine is slow, and a test fails by what it sees, not by when.
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
    // Recording a trace slows every step: `--trace on` does it for whoever looks for a reason.
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? installedChromium(),
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
  },
});
