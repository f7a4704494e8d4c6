import { defineConfig } from "@playwright/test";

/** Journeys in Chromium on the production build; `e2e/process` starts and kills servers of its own. */
export default defineConfig({
  testDir: "./e2e",
  globalSetup: "./e2e/global-setup.ts",
  workers: 2,
  // Generous: a busy machine is slow, and a test fails by what it sees, not by when.
  timeout: 180_000,
  expect: { timeout: 40_000 },
  forbidOnly: true,
  reporter: "line",
  use: {
    locale: "tr-TR",
    timezoneId: "Europe/Istanbul",
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
  },
});
