import { readFile } from "node:fs/promises";
import { type Env, SettingsError, settingsPath } from "./core/env";

/** The build writes its mode behind the hash of its sources. Sources that run without a build have no such file. */
const STAMP = new URL("./tellal-build", import.meta.url);

/** Refuses to run a build for production as a demo, before anything is made: it has neither demo data nor its pages. */
export async function checkBuild({ modeIsSet }: Env, stamp: URL = STAMP): Promise<void> {
  if (modeIsSet) return;
  const isForProduction = (await readFile(stamp, "utf8").catch(() => "")).trim().endsWith(" production");
  if (isForProduction)
    throw new SettingsError(`APP_MODE: is not set, and this build is for production; ${whereItIsMissing()}`);
}

function whereItIsMissing(): string {
  const path = settingsPath();
  if (path) return `${path} was read: set APP_MODE=production there`;
  return `no .env was found in ${process.cwd()}: start in the folder that has it, or set APP_MODE=production`;
}

/** Demo data is a file of its own, which a build for production does not have. */
export function loadDemo() {
  return import("./demo/seed.js").catch((cause) => {
    if (cause.code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new SettingsError(
      "SEED: this build is for production and has no demo data; set SEED=none, or build without APP_MODE=production",
    );
  });
}
