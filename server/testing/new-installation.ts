import { afterAll, vi } from "vitest";
import { resetLazyValues } from "@/server/core/lazy-value";
import { registry } from "@/server/core/metrics";
import { closeDatabase } from "@/server/infrastructure/database/client";
import { closeLimiter } from "@/server/infrastructure/rate-limit/limiter";

/* Isolates test files, which share a worker: own settings, database and data directory, no cached state. */
vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllEnvs();
resetLazyValues();
registry.resetMetrics();
const shared = globalThis as Record<string, unknown> & { tellalKeyUseTimer?: NodeJS.Timeout };
clearTimeout(shared.tellalKeyUseTimer);
for (const name of Object.keys(shared)) if (name.startsWith("tellal")) delete shared[name];
// Each file adds listeners for process exit and closed output.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

afterAll(async () => {
  await closeLimiter();
  await closeDatabase();
});
