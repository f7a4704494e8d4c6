import { existsSync } from "node:fs";
import { join } from "node:path";
import { env } from "@/server/core/env";
import { SECOND } from "@/server/core/time";

let known = { at: Number.NEGATIVE_INFINITY, closed: false };

/**
 * Whether the operator has closed the panel and the API: by `MAINTENANCE=1`, or by a file `maintenance` in the data
 * directory, which opens and closes all servers on it while they run, within a second.
 */
export function underMaintenance(): boolean {
  const { DATA_DIR, MAINTENANCE } = env();
  if (MAINTENANCE) return true;
  const now = performance.now();
  if (now - known.at > SECOND) known = { at: now, closed: existsSync(join(DATA_DIR, "maintenance")) };
  return known.closed;
}
