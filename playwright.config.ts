import { defineConfig } from "@playwright/test";

const port = Number(process.env.E2E_PORT ?? 3999);

/** Browser journeys on the production build; `e2e/process` starts and kills servers of its own. */
export default defineConfig({
  testDir: "./e2e",
  workers: 2,
  timeout: 60_000,
  forbidOnly: true,
  reporter: "line",
  use: {
    // localhost, not 127.0.0.1: passkeys and cookies belong to a name.
    baseURL: `http://localhost:${port}`,
    locale: "tr-TR",
    timezoneId: "Europe/Istanbul",
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
  },
});
