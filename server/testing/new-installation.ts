import { afterAll, vi } from "vitest";
import { forgetKept } from "@/server/core/kept";
import { registry } from "@/server/core/metrics";
import { closeDatabase } from "@/server/infrastructure/database/client";
import { closeLimiter } from "@/server/infrastructure/rate-limit/limiter";

/*
 * A worker loads the server once and runs many test files with it. Each file is an installation of its own: settings,
 * database, data directory, and nothing kept from the file before.
 */
vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllEnvs();
forgetKept();
registry.resetMetrics();
const shared = globalThis as Record<string, unknown> & { tellalKeyUseTimer?: NodeJS.Timeout };
clearTimeout(shared.tellalKeyUseTimer);
for (const name of Object.keys(shared)) if (name.startsWith("tellal")) delete shared[name];
// Each file listens for the end of the process, and for a reader of its log that goes away.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

afterAll(async () => {
  await closeLimiter();
  await closeDatabase();
});
