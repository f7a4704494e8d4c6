import { readFile } from "node:fs/promises";
import { type Env, getSettingsPath, SettingsError } from "./core/env";

/** The build appends its mode to the hash of its sources. Missing when running without a build. */
const BUILD_STAMP_FILE = new URL("./tellal-build", import.meta.url);

/** Refuses to run a production build as a demo: it lacks demo data and demo pages. */
export async function checkBuildMode({ isModeSet }: Env, stamp: URL = BUILD_STAMP_FILE): Promise<void> {
  if (isModeSet) return;
  const isForProduction = (await readFile(stamp, "utf8").catch(() => "")).trim().endsWith(" production");
  if (isForProduction)
    throw new SettingsError(
      `APP_MODE: is not set, and this build is for production; ${describeMissingMode()}`,
    );
}

function describeMissingMode(): string {
  const path = getSettingsPath();
  if (path) return `${path} was read: set APP_MODE=production there`;
  return `no .env was found in ${process.cwd()}: start in the folder that has it, or set APP_MODE=production`;
}

export function loadDemo() {
  return import("./demo/seed.js").catch((cause) => {
    if (cause.code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new SettingsError(
      "SEED: this build is for production and has no demo data; set SEED=none, or build without APP_MODE=production",
    );
  });
}
