import { existsSync } from "node:fs";
import { join } from "node:path";
import { env } from "@/server/core/env";
import { kept } from "@/server/core/kept";
import { SECOND } from "@/server/core/time";

const known = kept(() => ({ at: Number.NEGATIVE_INFINITY, closed: false }));

/**
 * Whether the operator has closed the panel and the API: by `MAINTENANCE=1`, or by a file `maintenance` in the data
 * directory, which opens and closes all servers on it while they run, within a second.
 */
export function underMaintenance(): boolean {
  const { DATA_DIR, MAINTENANCE } = env();
  if (MAINTENANCE) return true;
  const now = performance.now();
  const last = known();
  if (now - last.at > SECOND)
    Object.assign(last, { at: now, closed: existsSync(join(DATA_DIR, "maintenance")) });
  return last.closed;
}
