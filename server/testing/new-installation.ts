import { afterAll, vi } from "vitest";
import { resetLazyValues } from "@/server/core/lazy-value";
import { metricsRegistry } from "@/server/core/metrics";
import { closeDatabase } from "@/server/infrastructure/database/client";
import { closeLimiter } from "@/server/infrastructure/rate-limit/limiter";

/* Resets cached state before each test file: files share a worker process. */
vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllEnvs();
resetLazyValues();
metricsRegistry.resetMetrics();
const globals = globalThis as Record<string, unknown> & { tellalKeyUseTimer?: NodeJS.Timeout };
clearTimeout(globals.tellalKeyUseTimer);
for (const name of Object.keys(globals)) if (name.startsWith("tellal")) delete globals[name];
// Each file adds listeners for process exit and closed output.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

afterAll(async () => {
  await closeLimiter();
  await closeDatabase();
});
