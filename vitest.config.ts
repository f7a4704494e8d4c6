import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    tsconfigPaths: true,
    alias: {
      // The package throws outside of Next's server layer, and tests are outside.
      "server-only": fileURLToPath(new URL("./node_modules/server-only/empty.js", import.meta.url)),
    },
  },
  test: {
    include: ["**/*.test.ts", "**/*.test.tsx"],
    exclude: [...configDefaults.exclude, "e2e/**", ".next/**", "dist/**", ".data/**"],
    globalSetup: ["./scripts/lib/test-setup.mjs", "./server/testing/global-setup.ts"],
    // Cheaper to start than processes; what each file has of its own is said in the setup.
    pool: "threads",
    isolate: false,
    setupFiles: ["./server/testing/new-installation.ts"],
    // One more than the cores of a small machine: somebody is always waiting for a clock.
    maxWorkers: 3,
    // Generous: a busy machine is slow, and a test fails by what it sees, not by when.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // Statements may wait longer than in production: other tests keep the machine busy.
    env: { LOG_LEVEL: "silent", NEXT_TELEMETRY_DISABLED: "1", DATABASE_TIMEOUT: "60" },
    // These import modules of Next by names that only a bundler resolves.
    server: { deps: { inline: ["next-intl", /@trpc\/(server|next)/] } },
  },
});
