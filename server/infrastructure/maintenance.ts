import { existsSync } from "node:fs";
import { join } from "node:path";
import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { SECOND } from "@/server/core/time";

const maintenanceCache = lazyValue(() => ({ at: Number.NEGATIVE_INFINITY, closed: false }));

/** Tests for `MAINTENANCE=1`, or a file `maintenance` in the data directory, noticed within a second. */
export function isUnderMaintenance(): boolean {
  const { DATA_DIR, MAINTENANCE } = env();
  if (MAINTENANCE) return true;
  const now = performance.now();
  const state = maintenanceCache();
  if (now - state.at > SECOND)
    Object.assign(state, { at: now, closed: existsSync(join(DATA_DIR, "maintenance")) });
  return state.closed;
}
