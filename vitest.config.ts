import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    tsconfigPaths: true,
    alias: {
      // The package throws outside Next's server layer, where tests run.
      "server-only": fileURLToPath(new URL("./node_modules/server-only/empty.js", import.meta.url)),
    },
  },
  test: {
    include: ["**/*.test.ts", "**/*.test.tsx"],
    exclude: [...configDefaults.exclude, "e2e/**", ".next/**", "dist/**", ".data/**"],
    globalSetup: ["./scripts/lib/test-setup.mjs", "./server/testing/global-setup.ts"],
    // Threads start faster than processes; the setup file isolates test files.
    pool: "threads",
    isolate: false,
    setupFiles: ["./server/testing/new-installation.ts"],
    // One more than the cores of a small machine: tests often wait.
    maxWorkers: 3,
    // Generous, because the machine may be busy: tests should fail on results, not on time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // Longer than in production: other tests keep the machine busy.
    env: { LOG_LEVEL: "silent", NEXT_TELEMETRY_DISABLED: "1", DATABASE_TIMEOUT: "60" },
    // These import Next modules by names that only a bundler resolves.
    server: { deps: { inline: ["next-intl", /@trpc\/(server|next)/] } },
  },
});
