import { defineConfig } from "@playwright/test";

/**
 * Both on the production build: journeys in Chromium, and what is about the process, which starts and kills servers
 * of its own. Each runs alone with `--project`.
 */
export default defineConfig({
  testDir: "./e2e",
  globalSetup: "./e2e/prepared-data.ts",
  projects: [
    { name: "process", testMatch: "process/*.spec.ts" },
    { name: "journeys", testMatch: "*.spec.ts", testIgnore: "process/**" },
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
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
  },
});
